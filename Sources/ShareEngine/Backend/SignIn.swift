import ClipModel
import Crypto
import DurableFiles
package import Foundation
package import Highlights

/// Who is signed in, for all processes of this user: one file of 0600 among the secrets, renewed by one at a time.
package struct SignIn: Sendable {
  private let client: AuthClient
  private let secrets: SecretStore
  private let lockPath: String
  private let folders: [String]
  /// `BSC_SUPABASE_ACCESS_TOKEN` and `BSC_SUPABASE_REFRESH_TOKEN`: a job of CI has no browser.
  private let given: (accessToken: String?, refreshToken: String?)
  private let now: @Sendable () -> Int64

  /// Another process renews within the time of one request.
  private static let patience = Duration.seconds(60)

  package init(
    client: AuthClient, places: Places, environment: [String: String],
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) {
    self.client = client
    secrets = SecretStore(places: places)
    folders = [places.stateFolder, places.secretsFolder, places.locksFolder]
    lockPath = places.locksFolder + "/sign-in.lock"
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    given = (value("BSC_SUPABASE_ACCESS_TOKEN"), value("BSC_SUPABASE_REFRESH_TOKEN"))
    self.now = now
  }

  /// The session as it is stored, fresh or not; `nil` when nobody is signed in at this project.
  package func session() throws -> AuthSession? {
    guard let session = try stored(), session.projectURL == client.projectURL, session.seed == seed else { return nil }
    return session
  }

  /// Whether the environment says who is signed in: then no other sign-in counts.
  package var isGiven: Bool { given.accessToken != nil || given.refreshToken != nil }

  /// Who is signed in, also by a token of the environment alone; `nil` when the token does not say.
  /// - Throws: as `accessToken`.
  package func userID() async throws -> UUID? {
    if let token = given.accessToken { return AuthSession.userID(ofToken: token) }
    if let session = try session() { return session.userID }
    let token = try await accessToken()
    return try session()?.userID ?? AuthSession.userID(ofToken: token)
  }

  /// After a sign-in: in place of whoever was signed in before.
  /// - Throws: as `accessToken`: a renewal that is under way elsewhere must not write over it.
  package func store(_ session: AuthSession) async throws {
    let lock = try await lock()
    defer { withExtendedLifetime(lock) {} }
    try write(session)
  }

  /// A token for the next request, renewed when it is about to end or when a server refused it.
  /// - Parameter rejected: the token that was answered with 401.
  /// - Throws: `AuthError`; `DurableFileError` when the file is open to others.
  package func accessToken(rejected: String? = nil) async throws -> String {
    if let token = given.accessToken, token != rejected {
      // Without a refresh token there is nothing else.
      if given.refreshToken == nil || rejected == nil { return token }
    } else if given.accessToken != nil, given.refreshToken == nil {
      throw AuthError.sessionExpired(reason: "the token in BSC_SUPABASE_ACCESS_TOKEN was refused")
    }
    if let session = try session(), session.isFresh(at: now()), session.accessToken != rejected {
      return session.accessToken
    }
    // To its end, whoever stops waiting: a token that was renewed and not stored ends the whole session.
    return try await Task { try await renew(rejected: rejected) }.value
  }

  /// Signs out here and at the project.
  /// - Returns: who was signed in.
  package func end() async throws -> AuthSession? {
    guard let session = try session() else { return nil }
    // Here first: without a network people are signed out all the same.
    try secrets.delete(.signIn)
    try await client.signOut(session)
    return session
  }

  private func renew(rejected: String?) async throws -> String {
    let lock = try await lock()
    defer { withExtendedLifetime(lock) {} }
    // While we waited, another process may have done it.
    let current = try session()
    if let current, current.isFresh(at: now()), current.accessToken != rejected { return current.accessToken }
    guard let refreshToken = current?.refreshToken ?? given.refreshToken else { throw AuthError.notSignedIn }
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

  /// The token of the environment is spent at its first use: the ones that came of it are found by its digest.
  private var seed: String? {
    given.refreshToken.map { FileDigest.hexadecimal(SHA256.hash(data: Data($0.utf8))) }
  }

  private func stored() throws -> AuthSession? {
    try secrets.read(.signIn).flatMap { try? JSONDecoder().decode(AuthSession.self, from: Data($0.revealed.utf8)) }
  }

  private func write(_ session: AuthSession) throws {
    for folder in folders { try Folder.create(folder) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try secrets.write(Secret(String(decoding: try encoder.encode(session), as: UTF8.self)), as: .signIn)
  }

  private func lock() async throws -> FileLock {
    for folder in folders { try Folder.create(folder) }
    if let lock = try await FileLock.wait(path: lockPath, patience: Self.patience) { return lock }
    throw ShareEngineError(.renewalLocked)
  }
}
