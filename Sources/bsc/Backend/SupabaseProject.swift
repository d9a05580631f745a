import ClipModel
import Foundation
import Highlights
import LibCurl
import ShareEngine

/// The Supabase project of the settings, and who is signed in there.
struct SupabaseProject: Sendable {
  let url: String
  let auth: AuthClient
  let signIn: SignIn
  let transport: any HTTPTransport
  private let key: ProjectKey

  /// - Throws: `ShareEngineError` or `AuthError` when the settings name no project, or a key that is none for clients.
  init(
    _ surroundings: CommandEnvironment, transport: (any HTTPTransport)? = nil,
    notice: @escaping @Sendable (String) -> Void = { Console.note($0) }
  ) throws {
    let configuration = surroundings.configuration
    guard let url = configuration.supabaseURL.value else {
      throw Self.missing("supabase.url")
    }
    guard let text = configuration.supabaseKey.value else { throw Self.missing("supabase.key") }
    key = try ProjectKey(text.revealed)
    let transport = try transport ?? OutageNoticeTransport(configuration.transport(), notice: notice)
    self.transport = transport
    auth = AuthClient(projectURL: url, key: key, transport: transport)
    self.url = auth.projectURL
    signIn = SignIn(
      client: auth, places: surroundings.places, environment: ProcessInfo.processInfo.environment)
  }

  func endpoint(refused: BackendEndpoint?) async throws -> BackendEndpoint {
    let rejected = refused?.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
    let token = try await signIn.accessToken(rejected: rejected)
    return BackendEndpoint(
      functionsURL: url + "/functions/v1", restURL: url + "/rest/v1",
      headers: ["apikey": key.text, "Authorization": "Bearer \(token)"])
  }

  private static func missing(_ setting: String) -> CommandFailure {
    CommandFailure(.supabaseNotSet, ["setting": setting])
  }
}
