import ClipModel
import Foundation
import LibCurl
import ShareEngine
import Synchronization

/// `-v`: what bsc goes by, and what it says to servers. Never a secret: of addresses that may be one the host alone.
enum Verbosity {
  private static let state = Atomic(false)

  static var isOn: Bool { state.load(ordering: .relaxed) }

  /// From the command line, before anything is read.
  static func begin() { state.store(true, ordering: .relaxed) }

  static func tell(_ text: String) { Console.writeError("\("bsc:", .faint) \(text)\n" as StyledText) }

  /// Settings that are not the defaults, and who said so.
  static func tell(_ configuration: Configuration) {
    for entry in configuration.entries where entry.origin != "default" {
      tell("\(entry.key) = \(entry.value ?? "(none)"), from \(entry.origin)")
    }
  }
}

/// Tells each request with its answer, and how long it took.
struct ReportedTransport: HTTPTransport {
  let transport: any HTTPTransport

  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (_ sentByteCount: Int64) -> Void
  ) async throws -> HTTPResponse {
    let begun = ContinuousClock.now
    func tell(_ end: String) {
      let milliseconds = Int(((ContinuousClock.now - begun).seconds * 1000).rounded())
      Verbosity.tell("\(request.method.rawValue) \(Self.shown(request.url)): \(end), \(milliseconds) ms")
    }
    do {
      let response = try await transport.send(request, progress: progress)
      let wait = response.headers["Retry-After"].map { ", asks for a pause: \($0)" } ?? ""
      tell("\(response.status)\(wait)")
      return response
    } catch {
      tell(error is CancellationError ? "cancelled" : "\((error as? any ExplainedError)?.explanation.why ?? "failed")")
      throw error
    }
  }

  /// Paths of APIs name nothing that opens anything; those of uploads and files do.
  private static let openPaths = ["/rest/v1/", "/functions/v1/", "/uploads", "/auth/v1/", "/video/v1/"]

  static func shown(_ url: String) -> String {
    guard let parts = URLComponents(string: url), let host = parts.host else { return "(an address)" }
    let place = host + (parts.port.map { ":\($0)" } ?? "")
    return place + (openPaths.contains { parts.path.hasPrefix($0) } ? parts.path : "/…")
  }
}
