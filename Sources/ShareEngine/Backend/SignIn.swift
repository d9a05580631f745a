import ClipModel
import Crypto
import DurableFiles
package import Foundation
package import Highlights

/// The user's session in a Supabase project. All of the user's processes share it through one private file, and only
/// one process at a time renews it.
package struct SignIn: Sendable {
  private let client: AuthClient
  private let secrets: SecretStore
  private let places: Places
  /// The values of `BSC_SUPABASE_ACCESS_TOKEN` and `BSC_SUPABASE_REFRESH_TOKEN`, for CI jobs without a browser.
  private let given: (accessToken: String?, refreshToken: String?)
  private let now: @Sendable () -> Int64

  package init(
    client: AuthClient, places: Places, environment: [String: String],
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) {
    (self.client, self.places, self.now) = (client, places, now)
    secrets = SecretStore(places: places)
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    given = (value("BSC_SUPABASE_ACCESS_TOKEN"), value("BSC_SUPABASE_REFRESH_TOKEN"))
  }

  /// The stored session for this project, which may have expired; `nil` if the user is not signed in.
  package func session() throws -> AuthSession? {
    let stored = try secrets.read(.signIn).flatMap {
      try? JSONDecoder().decode(AuthSession.self, from: Data($0.revealed.utf8))
    }
    return stored?.projectURL == client.projectURL && stored?.seed == seed ? stored : nil
  }

  /// Whether the environment provides a token, which takes precedence over a stored session.
  package var isGiven: Bool { given.accessToken != nil || given.refreshToken != nil }

  /// The signed-in user, including a user identified by a token from the environment; `nil` if the token does not
  /// identify the user.
  /// - Throws: the same errors as `accessToken`.
  package func userID() async throws -> UUID? {
    if let token = given.accessToken { return AuthSession.userID(ofToken: token) }
    if let session = try session() { return session.userID }
    let token = try await accessToken()
    return try session()?.userID ?? AuthSession.userID(ofToken: token)
  }

  /// Stores a new session, replacing an earlier one.
  /// - Throws: the same errors as `accessToken`.
  package func store(_ session: AuthSession) async throws {
    // Another process may be renewing the earlier session.
    let lock = try await lock()
    defer { withExtendedLifetime(lock) {} }
    try write(session)
  }

  /// The token for the next request. Renews the token if it is about to expire or was rejected by the server.
  /// - Parameter rejected: the token that the server rejected with 401.
  /// - Throws: `AuthError`; `DurableFileError` if other users can read the file.
  package func accessToken(rejected: String? = nil) async throws -> String {
    if let token = given.accessToken {
      if rejected == nil || (token != rejected && given.refreshToken == nil) { return token }
      if given.refreshToken == nil {
        throw AuthError.sessionExpired(reason: "the server rejected the token in BSC_SUPABASE_ACCESS_TOKEN")
      }
    }
    if let token = try freshToken(rejected: rejected) { return token }
    // This task is not canceled with the caller: if a token were renewed but not stored, the session would be lost.
    return try await Task { try await renew(rejected: rejected) }.value
  }

  private func freshToken(rejected: String?) throws -> String? {
    guard let session = try session(), session.isFresh(at: now()), session.accessToken != rejected else { return nil }
    return session.accessToken
  }

  /// Signs the user out, on this machine and in the project.
  /// - Returns: the session that ended.
  package func end() async throws -> AuthSession? {
    guard let session = try session() else { return nil }
    // The local session ends first, so signing out works without a network.
    try secrets.delete(.signIn)
    try await client.signOut(session)
    return session
  }

  private func renew(rejected: String?) async throws -> String {
    let lock = try await lock()
    defer { withExtendedLifetime(lock) {} }
    // Another process may have renewed the token while this process was waiting.
    if let token = try freshToken(rejected: rejected) { return token }
    guard let refreshToken = try session()?.refreshToken ?? given.refreshToken else { throw AuthError.notSignedIn }
    do {
      var session = try await client.refresh(refreshToken)
      session.seed = seed
      try write(session)
      return session.accessToken
    } catch let error as AuthError {
      if case .sessionExpired = error { try secrets.delete(.signIn) }
      throw error
    }
  }

  /// The digest of the environment's refresh token. A refresh token can be used only once; the digest identifies the
  /// session that was stored after it was used.
  private var seed: String? {
    given.refreshToken.map { FileDigest.hexadecimal(SHA256.hash(data: Data($0.utf8))) }
  }

  private func write(_ session: AuthSession) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try secrets.write(Secret(String(decoding: try encoder.encode(session), as: UTF8.self)), as: .signIn)
  }

  private func lock() async throws -> FileLock {
    try places.createStateFolders()
    // Renewing a session takes only one request, so the wait is short.
    let path = places.locksFolder + "/sign-in.lock"
    guard let lock = try await FileLock.wait(path: path, patience: .seconds(60)) else {
      throw ShareEngineError(.renewalLocked)
    }
    return lock
  }
}
