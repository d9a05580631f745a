import ClipModel
import Foundation
import Highlights
import LibCurl

/// Whether highlights can be registered where the settings say.
struct BackendDiagnostics {
  let environment: EngineEnvironment

  /// Longer than any answer takes that somebody would wait for.
  private static let patience = Duration.seconds(10)

  func run() async -> [DoctorCheck] {
    switch environment.configuration.backend.value {
    case .local: [await answer("local")]
    case .supabase: await supabase()
    case .mux: await mux()
    }
  }

  private func answer(_ kind: String) async -> DoctorCheck {
    do {
      return try await Self.within {
        let session = try await ShareSession(environment) { _ in }
        let (newest, address) = try await session.use {
          (try await session.api.highlights(limit: 1, offset: 0), try await session.link.endpoint().functionsURL)
        }
        return DoctorCheck(
          "backend", kind, .fine, "answers at \(address)\(newest.isEmpty ? ", nothing shared yet" : "")")
      }
    } catch {
      return DoctorCheck("backend", kind, error)
    }
  }

  private func supabase() async -> [DoctorCheck] {
    do {
      var quiet = environment
      quiet.notice = { _ in }
      let project = try SupabaseProject(quiet)
      // Its health needs no account.
      var checks = await reach(project.url + "/auth/v1/health", project.transport, name: "supabase")
      let canReach = checks.first?.status == .fine
      do {
        if project.signIn.isGiven {
          checks.append(DoctorCheck("backend", "session", .fine, "given by the environment"))
        } else if let session = try project.signIn.session() {
          checks.append(
            DoctorCheck(
              "backend", "session", .fine, "signed in as \(session.email ?? session.userID.uuidString.lowercased())"))
        } else {
          checks.append(DoctorCheck("backend", "session", .problem, "nobody is signed in", next: "bsc login"))
          return checks
        }
      } catch {
        return checks + [DoctorCheck("backend", "session", error)]
      }
      if canReach { checks.append(await answer("highlights")) }
      return checks
    } catch {
      return [DoctorCheck("backend", "supabase", error)]
    }
  }

  private func mux() async -> [DoctorCheck] {
    do {
      let transport = try environment.transport()
      // It says when the token is missing.
      _ = try BackendConnection(environment, transport: transport)
      return await reach(environment.configuration.muxURL.value, transport, name: "mux")
        + [DoctorCheck("backend", "token", .fine, "given by the environment; used with the first upload")]
    } catch {
      return [DoctorCheck("backend", "mux", error)]
    }
  }

  /// Whether anybody answers, and what time they have.
  private func reach(_ url: String, _ transport: any HTTPTransport, name: String) async -> [DoctorCheck] {
    let host = URL(string: url)?.host ?? "the server"
    do {
      let answer = try await Self.within { try await transport.send(HTTPRequest(.get, url: url)) }
      var checks = [DoctorCheck("backend", name, .fine, "\(host) answers (\(answer.status))")]
      if let theirs = answer.headers["Date"].flatMap(Self.date) {
        checks.append(clock(theirs, host))
      }
      return checks
    } catch {
      return [DoctorCheck("backend", name, error)]
    }
  }

  /// Tokens live for an hour, and servers allow for little: a minute is harmless.
  private static let harmlessSeconds = 60.0

  private func clock(_ theirs: Date, _ host: String) -> DoctorCheck {
    let seconds = Date().timeIntervalSince(theirs)
    let isRight = abs(seconds) <= Self.harmlessSeconds
    let difference = Int(abs(seconds).rounded())
    return DoctorCheck(
      "clock", "against \(host)", isRight ? .fine : .problem,
      isRight
        ? "the same time"
        : "\(difference.counting("second")) \(seconds > 0 ? "ahead" : "behind"): tokens will be refused",
      next: isRight ? nil : "set the clock: timedatectl set-ntp true")
  }

  /// RFC 9110's form of times: `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Date? {
    let format = Date.VerbatimFormatStyle(
      format:
        "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    return try? format.parseStrategy.parse(text)
  }

  private static func within<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws
    -> Value
  {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: patience)
        throw ShareEngineError(.backendTimeout, ["seconds": "\(patience.components.seconds)"])
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}
