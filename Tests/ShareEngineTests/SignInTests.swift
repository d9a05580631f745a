import ClipModel
import Foundation
import Highlights
import LibCurl
import ShareEngine
import TestSupport
import Testing

/// All processes share one session. One process renews it, and stores it before use.
@Suite struct SignInTests {
  let home: ScratchFolder
  let places: ApplicationFolders

  init() throws {
    home = try ScratchFolder()
    places = try ApplicationFolders(environment: ["HOME": home.path])
  }

  private func client(_ server: AuthServer) throws -> AuthClient {
    AuthClient(
      projectURL: server.url, key: try ProjectKey("sb_publishable_abc"), transport: try TransferThread())
  }

  private func signIn(_ server: AuthServer, _ environment: [String: String] = [:]) throws -> SignIn {
    SignIn(client: try client(server), places: places, environment: environment)
  }

  private func signedIn(_ server: AuthServer) async throws -> SignIn {
    let signIn = try signIn(server)
    try await signIn.store(
      try await client(server).signIn(email: AuthServer.email, password: AuthServer.password))
    return signIn
  }

  @Test func freshTokenIsUsed() async throws {
    let server = try await AuthServer()
    let signIn = try await signedIn(server)
    #expect(try await signIn.accessToken() == "access-1")
    #expect(server.refreshCount == 0)
    let file = places.secretsFolder + "/sign-in"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func expiredTokenIsRenewedOnce() async throws {
    let server = try await AuthServer()
    server.setTokenLifetime(30)
    let first = try await signedIn(server)
    server.setTokenLifetime(3600)
    let others = try (0..<8).map { _ in try signIn(server) }
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for signIn in others + [first] { group.addTask { try await signIn.accessToken() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(tokens) == ["access-2"] && server.refreshCount == 1 && !server.isRevoked)
    #expect(try first.session()?.refreshToken == "refresh-2")
  }

  @Test func rejectedTokenIsRenewedOnce() async throws {
    let server = try await AuthServer()
    let first = try await signedIn(server)
    let tokens = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<5 { group.addTask { try await first.accessToken(rejected: "access-1") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(tokens) == ["access-2"] && server.refreshCount == 1)
  }

  /// A renewed token is stored even if the caller was cancelled.
  @Test func cancelledRenewalIsStored() async throws {
    let server = try await AuthServer()
    let first = try await signedIn(server)
    let waiting = Task { try await first.accessToken(rejected: "access-1") }
    waiting.cancel()
    _ = try? await waiting.value
    #expect(try first.session()?.refreshToken == "refresh-2")
    #expect(try await first.accessToken() == "access-2")
  }

  @Test func expiredSessionIsDeleted() async throws {
    let server = try await AuthServer()
    let signIn = try await signedIn(server)
    // Another client uses the refresh token.
    _ = try await client(server).refreshSession("refresh-1")
    let error = await #expect(throws: AuthError.self) { _ = try await signIn.accessToken(rejected: "access-1") }
    #expect(error?.explanation.id == "account.session-expired")
    #expect(try signIn.session() == nil)
    await #expect(throws: AuthError.notSignedIn) { _ = try await signIn.accessToken() }
  }

  /// A network failure does not end the session.
  @Test func lostResponseKeepsSession() async throws {
    let server = try await AuthServer()
    let signIn = try await signedIn(server)
    server.loseAnswers(1)
    let error = await #expect(throws: AuthError.self) { _ = try await signIn.accessToken(rejected: "access-1") }
    #expect(error?.explanation.category == .remote)
    #expect(try signIn.session()?.refreshToken == "refresh-1")
  }

  @Test func sessionBelongsToOneProject() async throws {
    let (server, other) = (try await AuthServer(), try await AuthServer())
    _ = try await signedIn(server)
    await #expect(throws: AuthError.notSignedIn) { _ = try await signIn(other).accessToken() }
    #expect(other.requests.isEmpty)
  }

  @Test func environmentTokensAreUsed() async throws {
    let server = try await AuthServer()
    let plain = try signIn(server, ["BSC_SUPABASE_ACCESS_TOKEN": "given"])
    #expect(try await plain.accessToken() == "given")
    await #expect(throws: AuthError.self) { _ = try await plain.accessToken(rejected: "given") }
    // A refresh token can be used once. The next CI job uses the session that was stored after its use.
    let environment = ["BSC_SUPABASE_REFRESH_TOKEN": server.startSession()]
    #expect(try await signIn(server, environment).accessToken() == "access-2")
    #expect(try await signIn(server, environment).accessToken(rejected: "access-2") == "access-3")
    #expect(!server.isRevoked)
    // Without the variable, the stored session is not used.
    #expect(try signIn(server).session() == nil)
  }

  @Test func signingOutDeletesSession() async throws {
    let server = try await AuthServer()
    let signIn = try await signedIn(server)
    #expect(try await signIn.signOut()?.email == AuthServer.email)
    #expect(try signIn.session() == nil)
    #expect(try await signIn.signOut() == nil)
    #expect(server.requests.last?.target == "/auth/v1/logout?scope=local")
  }

  @Test func sessionFileReadableByOthersIsRefused() async throws {
    let server = try await AuthServer()
    let signIn = try await signedIn(server)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: places.secretsFolder + "/sign-in")
    await #expect(throws: (any Error).self) { _ = try await signIn.accessToken() }
    #expect(server.refreshCount == 0)
  }
}
