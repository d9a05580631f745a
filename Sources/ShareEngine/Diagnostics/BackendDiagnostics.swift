import ClipModel
import Foundation
import Highlights
import LibCurl

/// Checks the configured backend.
struct BackendDiagnostics {
  let environment: EngineEnvironment

  private static let timeout = Duration.seconds(10)

  func run() async -> [DoctorCheck] {
    switch environment.configuration.backend.value {
    case .local: await checkResponse("local")
    case .supabase: await checkSupabase()
    case .mux: await checkMux()
    }
  }

  private func checkResponse(_ name: String) async -> [DoctorCheck] {
    await DoctorCheck.catching("backend", name) {
      try await Self.withTimeout {
        let session = try await ShareSession(environment) { _ in }
        let (highlights, endpoint) = try await session.use {
          (try await session.backend.highlights(limit: 1, offset: 0), try await session.connection.endpoint())
        }
        let note = highlights.isEmpty ? ", nothing shared yet" : ""
        return [DoctorCheck("backend", name, "responds at \(endpoint.functionsURL)\(note)")]
      }
    }
  }

  private func checkSupabase() async -> [DoctorCheck] {
    await DoctorCheck.catching("backend", "supabase") {
      var quiet = environment
      quiet.notice = { _ in }
      let project = try SupabaseProject(quiet)
      // This endpoint requires no session.
      let reach = await checkServer(project.url + "/auth/v1/health", project.transport, name: "supabase")
      let session = await DoctorCheck.catching("backend", "session") {
        if project.signIn.isGiven { return [DoctorCheck("backend", "session", "from the environment")] }
        guard let session = try project.signIn.session() else {
          return [DoctorCheck("backend", "session", .problem, "you are not signed in", next: "bsc login")]
        }
        let name = session.email ?? session.userID.uuidString.lowercased()
        return [DoctorCheck("backend", "session", "signed in as \(name)")]
      }
      guard reach.first?.status == .fine, session.first?.status == .fine else { return reach + session }
      return await reach + session + checkResponse("highlights")
    }
  }

  private func checkMux() async -> [DoctorCheck] {
    await DoctorCheck.catching("backend", "mux") {
      let transport = try environment.transport()
      // Throws if the token is missing.
      _ = try BackendConnection(environment, transport: transport)
      return await checkServer(environment.configuration.muxURL.value, transport, name: "mux")
        + [DoctorCheck("backend", "token", "from the environment; used with the first upload")]
    }
  }

  /// Checks that the server responds, and compares its clock.
  private func checkServer(_ url: String, _ transport: any HTTPTransport, name: String) async -> [DoctorCheck] {
    let host = URL(string: url)?.host ?? "the server"
    return await DoctorCheck.catching("backend", name) {
      let response = try await Self.withTimeout { try await transport.send(HTTPRequest(.get, url: url)) }
      let time = response.headers["Date"].flatMap(RetryAfter.unixSeconds)
      return [DoctorCheck("backend", name, "\(host) responds (\(response.status))")]
        + (time.map { [Self.compareClock(with: $0, host)] } ?? [])
    }
  }

  private static func compareClock(with serverTime: Int64, _ host: String) -> DoctorCheck {
    let seconds = Date().timeIntervalSince1970 - Double(serverTime)
    // Tokens are valid for an hour, so a minute is harmless.
    if abs(seconds) <= 60 { return DoctorCheck("clock", "against \(host)", "the same time") }
    let difference = Int(abs(seconds).rounded()).counting("second")
    return DoctorCheck(
      "clock", "against \(host)", .problem,
      "\(difference) \(seconds > 0 ? "ahead" : "behind"): tokens will be rejected", next: DoctorCheck.setClock)
  }

  private static func withTimeout<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let value = try await ShareEngine.withTimeout(timeout, work) else {
      throw ShareEngineError(.backendTimeout, ["seconds": "\(timeout.components.seconds)"])
    }
    return value
  }
}
