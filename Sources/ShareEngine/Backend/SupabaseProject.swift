import ClipModel
import Foundation
package import Highlights
package import LibCurl

/// The configured Supabase project, and the user's session in this project.
package struct SupabaseProject: Sendable {
  package let auth: AuthClient
  package let signIn: SignIn
  package let transport: any HTTPTransport
  private let key: ProjectKey

  package var url: String { auth.projectURL }

  /// - Throws: `ShareEngineError` if the project is not configured, `AuthError` if the key is not a client key.
  package init(_ environment: EngineEnvironment, transport: (any HTTPTransport)? = nil) throws {
    let configuration = environment.configuration
    guard let url = configuration.supabaseURL.value, let text = configuration.supabaseKey.value else {
      let setting = configuration.supabaseURL.value == nil ? "supabase.url" : "supabase.key"
      throw ShareEngineError(.supabaseNotSet, ["setting": setting])
    }
    key = try ProjectKey(text.revealed)
    self.transport = try transport ?? OutageNoticeTransport(environment.transport(), notice: environment.notice)
    auth = AuthClient(projectURL: url, key: key, transport: self.transport)
    signIn = SignIn(client: auth, places: environment.places, environment: environment.variables)
  }

  package func endpoint(refused: BackendEndpoint?) async throws -> BackendEndpoint {
    let rejected = refused?.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
    let token = try await signIn.accessToken(rejected: rejected)
    return BackendEndpoint(
      functionsURL: url + "/functions/v1", restURL: url + "/rest/v1",
      headers: ["apikey": key.text, "Authorization": "Bearer \(token)"])
  }
}
