import ClipModel
import Crypto
import DurableFiles
package import Foundation
package import Highlights

/// The user's session in a Supabase project. The user's processes share the session through a private file, and only
/// one process at a time renews the session.
package struct SignIn: Sendable {
  private let client: AuthClient
  private let secrets: SecretStore
  private let places: ApplicationFolders
  /// The tokens from `BSC_SUPABASE_ACCESS_TOKEN` and `BSC_SUPABASE_REFRESH_TOKEN`, for CI jobs that cannot open a
  /// browser.
  private let given: (accessToken: String?, refreshToken: String?)
  private let now: @Sendable () -> Int64

  package init(
    client: AuthClient, places: ApplicationFolders, environment: [String: String],
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) {
    (self.client, self.places, self.now) = (client, places, now)
    secrets = SecretStore(places: places)
    func nonEmptyValue(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    given = (nonEmptyValue("BSC_SUPABASE_ACCESS_TOKEN"), nonEmptyValue("BSC_SUPABASE_REFRESH_TOKEN"))
  }

  /// Returns the stored session for this project, or `nil` if the user is not signed in. The session may have expired.
  package func session() throws -> AuthSession? {
    let stored = try secrets.read(.signIn).flatMap {
      try? JSONDecoder().decode(AuthSession.self, from: Data($0.revealed.utf8))
    }
    return stored?.projectURL == client.projectURL && stored?.seed == seed ? stored : nil
  }

  /// Whether the environment provides a token, which takes precedence over a stored session.
  package var isGiven: Bool { given.accessToken != nil || given.refreshToken != nil }

  /// Returns the ID of the signed-in user, which can also come from a token in the environment. Returns `nil` if the
  /// token doesn't identify a user.
  /// - Throws: the same errors as `accessToken`.
  package func userID() async throws -> UUID? {
    if let token = given.accessToken { return AuthSession.userID(ofToken: token) }
    if let session = try session() { return session.userID }
    let token = try await accessToken()
    return try session()?.userID ?? AuthSession.userID(ofToken: token)
  }

  /// Stores a new session and replaces the earlier session, if there is one.
  /// - Throws: the same errors as `accessToken`.
  package func store(_ session: AuthSession) async throws {
    // Another process may be renewing the earlier session.
    let lock = try await acquireLock()
    defer { withExtendedLifetime(lock) {} }
    try writeSession(session)
  }

  /// Returns the access token for the next request. Renews the token if it is about to expire or if the server rejected
  /// it.
  /// - Parameter rejected: the token that the server rejected with status 401, if any.
  /// - Throws: `AuthError` if there is no valid session, or `DurableFileError` if other users can read the session
  ///   file.
  package func accessToken(rejected: String? = nil) async throws -> String {
    if let token = given.accessToken {
      if rejected == nil || (token != rejected && given.refreshToken == nil) { return token }
      if given.refreshToken == nil {
        throw AuthError.sessionExpired(reason: "the server rejected the token in BSC_SUPABASE_ACCESS_TOKEN")
      }
    }
    if let token = try loadFreshToken(rejected: rejected) { return token }
    // This task isn't canceled together with its caller. If a token were renewed but not stored, the session would be
    // lost.
    return try await Task { try await renewToken(rejected: rejected) }.value
  }

  private func loadFreshToken(rejected: String?) throws -> String? {
    guard let session = try session(), session.isFresh(at: now()), session.accessToken != rejected else { return nil }
    return session.accessToken
  }

  /// Signs the user out on this machine and in the Supabase project.
  /// - Returns: the session that ended, or `nil` if the user was not signed in.
  package func signOut() async throws -> AuthSession? {
    guard let session = try session() else { return nil }
    // End the local session first, so that signing out works without a network connection.
    try secrets.delete(.signIn)
    try await client.signOut(session)
    return session
  }

  private func renewToken(rejected: String?) async throws -> String {
    let lock = try await acquireLock()
    defer { withExtendedLifetime(lock) {} }
    // Another process may have renewed the token while this process was waiting for the lock.
    if let token = try loadFreshToken(rejected: rejected) { return token }
    guard let refreshToken = try session()?.refreshToken ?? given.refreshToken else { throw AuthError.notSignedIn }
    do {
      var session = try await client.refreshSession(refreshToken)
      session.seed = seed
      try writeSession(session)
      return session.accessToken
    } catch let error as AuthError {
      if case .sessionExpired = error { try secrets.delete(.signIn) }
      throw error
    }
  }

  /// The digest of the refresh token in the environment. A refresh token can be used only once, so the digest
  /// identifies the session that was created with it.
  private var seed: String? {
    given.refreshToken.map { FileDigest.hexadecimal(SHA256.hash(data: Data($0.utf8))) }
  }

  private func writeSession(_ session: AuthSession) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try secrets.write(Secret(String(decoding: try encoder.encode(session), as: UTF8.self)), as: .signIn)
  }

  private func acquireLock() async throws -> FileLock {
    try places.createStateFolders()
    // Renewing a session takes only a single request, so the wait is short.
    let path = places.locksFolder + "/sign-in.lock"
    guard let lock = try await FileLock.wait(path: path, timeout: .seconds(60)) else {
      throw ShareEngineError(.renewalLocked)
    }
    return lock
  }
}
