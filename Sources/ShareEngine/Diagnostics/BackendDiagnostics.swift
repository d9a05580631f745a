import ClipModel
import Foundation
import Highlights
import LibCurl

/// Checks whether the configured backend works.
struct BackendDiagnostics {
  let environment: EngineEnvironment

  private static let timeout = Duration.seconds(10)

  func runChecks() async -> [DoctorCheck] {
    switch environment.configuration.backend.value {
    case .local: await checkBackendResponse("local")
    case .supabase: await checkSupabase()
    case .mux: await checkMux()
    }
  }

  private func checkBackendResponse(_ name: String) async -> [DoctorCheck] {
    await DoctorCheck.catchingErrors("backend", name) {
      try await Self.withTimeout {
        let session = try await ShareSession(environment) { _ in }
        let (highlights, endpoint) = try await session.runAndClose {
          (try await session.backend.highlights(limit: 1, offset: 0), try await session.connection.endpoint())
        }
        let note = highlights.isEmpty ? "; nothing has been shared yet" : ""
        return [DoctorCheck("backend", name, "responds at \(endpoint.functionsURL)\(note)")]
      }
    }
  }

  private func checkSupabase() async -> [DoctorCheck] {
    await DoctorCheck.catchingErrors("backend", "supabase") {
      var quiet = environment
      quiet.notice = { _ in }
      let project = try SupabaseProject(quiet)
      // This endpoint doesn't require a session.
      let reach = await checkServer(project.url + "/auth/v1/health", project.transport, name: "supabase")
      let session = await DoctorCheck.catchingErrors("backend", "session") {
        if project.signIn.isGiven { return [DoctorCheck("backend", "session", "provided by the environment")] }
        guard let session = try project.signIn.session() else {
          return [DoctorCheck("backend", "session", .problem, "you are not signed in", problem: .signedOut)]
        }
        let name = session.email ?? session.userID.uuidString.lowercased()
        return [DoctorCheck("backend", "session", "signed in as \(name)")]
      }
      guard reach.first?.status == .fine, session.first?.status == .fine else { return reach + session }
      return await reach + session + checkBackendResponse("highlights")
    }
  }

  private func checkMux() async -> [DoctorCheck] {
    await DoctorCheck.catchingErrors("backend", "mux") {
      let transport = try environment.transport()
      // The initializer throws an error if the token is missing.
      _ = try BackendConnection(environment, transport: transport)
      return await checkServer(environment.configuration.muxURL.value, transport, name: "mux")
        + [DoctorCheck("backend", "token", "provided by the environment; not verified until the first upload")]
    }
  }

  /// Checks that the server responds, and compares its clock with this machine's clock.
  private func checkServer(_ url: String, _ transport: any HTTPTransport, name: String) async -> [DoctorCheck] {
    let host = URL(string: url)?.host ?? "the server"
    return await DoctorCheck.catchingErrors("backend", name) {
      let response = try await Self.withTimeout { try await transport.send(HTTPRequest(.get, url: url)) }
      let time = response.headers["Date"].flatMap(RetryAfter.parseUnixSeconds)
      return [DoctorCheck("backend", name, "\(host) responds (\(response.status))")]
        + (time.map { [Self.compareClock(with: $0, host)] } ?? [])
    }
  }

  private static func compareClock(with serverTime: Int64, _ host: String) -> DoctorCheck {
    let seconds = Date().timeIntervalSince1970 - Double(serverTime)
    // Tokens are valid for an hour, so a difference of one minute is harmless.
    if abs(seconds) <= 60 { return DoctorCheck("clock", "against \(host)", "the clocks agree") }
    let difference = Int(abs(seconds).rounded()).withNoun("second")
    return DoctorCheck(
      "clock", "against \(host)", .problem,
      "\(difference) \(seconds > 0 ? "ahead" : "behind"); the server will reject tokens", problem: .clockWrong)
  }

  private static func withTimeout<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let value = try await ClipModel.withTimeout(timeout, work) else {
      throw ShareEngineError(.backendTimeout, ["seconds": "\(timeout.components.seconds)"])
    }
    return value
  }
}
