import ClipModel
import Foundation
package import Highlights
package import LibCurl

/// The Supabase project of the settings, and who is signed in there.
package struct SupabaseProject: Sendable {
  package let url: String
  package let auth: AuthClient
  package let signIn: SignIn
  package let transport: any HTTPTransport
  private let key: ProjectKey

  /// - Throws: `ShareEngineError` or `AuthError` when the settings name no project, or a key that is none for clients.
  package init(
    _ environment: EngineEnvironment, transport: (any HTTPTransport)? = nil
  ) throws {
    let configuration = environment.configuration
    guard let url = configuration.supabaseURL.value else {
      throw Self.missing("supabase.url")
    }
    guard let text = configuration.supabaseKey.value else { throw Self.missing("supabase.key") }
    key = try ProjectKey(text.revealed)
    let transport = try transport ?? OutageNoticeTransport(environment.transport(), notice: environment.notice)
    self.transport = transport
    auth = AuthClient(projectURL: url, key: key, transport: transport)
    self.url = auth.projectURL
    signIn = SignIn(
      client: auth, places: environment.places, environment: environment.variables)
  }

  package func endpoint(refused: BackendEndpoint?) async throws -> BackendEndpoint {
    let rejected = refused?.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
    let token = try await signIn.accessToken(rejected: rejected)
    return BackendEndpoint(
      functionsURL: url + "/functions/v1", restURL: url + "/rest/v1",
      headers: ["apikey": key.text, "Authorization": "Bearer \(token)"])
  }

  private static func missing(_ setting: String) -> ShareEngineError {
    ShareEngineError(.supabaseNotSet, ["setting": setting])
  }
}
