import ClipModel
import Foundation
import LibCurl
import ShareEngine
import Synchronization

/// The verbose log (`-v`): details, non-default settings and requests. If a URL may be secret, only its host is logged.
enum Verbosity {
  private static let state = Atomic(false)

  static var isOn: Bool { state.load(ordering: .relaxed) }

  /// Enables the verbose log. Must be called before the settings are read.
  static func enable() { state.store(true, ordering: .relaxed) }

  static func log(_ text: String) { Console.writeError("\("bsc:", .faint) \(text)\n" as StyledText) }

  /// Logs all non-default settings with their origins.
  static func log(_ configuration: Configuration) {
    for entry in configuration.entries where entry.origin != "default" {
      log("\(entry.key) = \(entry.value ?? "(none)"), from \(entry.origin)")
    }
  }
}

/// Logs each HTTP request with its response status and duration.
struct LoggingTransport: HTTPTransport {
  let transport: any HTTPTransport

  func send(
    _ request: HTTPRequest, progress: @escaping @Sendable (_ sentByteCount: Int64) -> Void
  ) async throws -> HTTPResponse {
    let start = ContinuousClock.now
    func log(_ outcome: String) {
      let milliseconds = Int(((ContinuousClock.now - start).seconds * 1000).rounded())
      Verbosity.log("\(request.method.rawValue) \(Self.redactURL(request.url)): \(outcome), \(milliseconds) ms")
    }
    do {
      let response = try await transport.send(request, progress: progress)
      log("\(response.status)" + (response.headers["Retry-After"].map { ", Retry-After: \($0)" } ?? ""))
      return response
    } catch {
      log(error is CancellationError ? "canceled" : "\((error as? any ExplainedError)?.explanation.why ?? "failed")")
      throw error
    }
  }

  /// The prefixes of API paths, which aren't secret. Upload and file paths can be credentials.
  private static let publicPaths = ["/rest/v1/", "/functions/v1/", "/uploads", "/auth/v1/", "/video/v1/"]

  static func redactURL(_ url: String) -> String {
    guard let parts = URLComponents(string: url), let host = parts.host else { return "(a URL)" }
    let server = host + (parts.port.map { ":\($0)" } ?? "")
    return server + (publicPaths.contains { parts.path.hasPrefix($0) } ? parts.path : "/…")
  }
}
