import ClipModel
import Foundation

// The SARIF 2.1.0 objects that bsc writes. All names follow the standard.

struct SARIFLog: Encodable {
  var version = "2.1.0"
  var schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  var runs: [Run]

  private enum CodingKeys: String, CodingKey {
    case version, runs
    case schema = "$schema"
  }

  struct Run: Encodable {
    var tool: Tool
    var invocations: [Invocation]
    /// The base folders for relative paths, which differ between machines.
    var originalUriBaseIds = [
      SARIFLocation.workingFolder: BaseFolder(description: .init(text: "the folder in which bsc ran"))
    ]
    var results: [SARIFResult]
    var columnKind = "unicodeCodePoints"
  }

  struct Tool: Encodable { var driver: Driver }

  struct Driver: Encodable {
    var name = "bsc"
    var version: String
    var rules: [SARIFRule]
  }

  struct BaseFolder: Encodable { var description: SARIFMessage }

  struct Invocation: Encodable {
    var executionSuccessful: Bool
    var toolExecutionNotifications: [SARIFNotification]
  }
}

struct SARIFMessage: Encodable {
  var text: String
  var markdown: String?

  init(text: String, markdown: String? = nil) {
    self.text = text
    self.markdown = markdown
  }

  /// Creates a message that is displayed unchanged. Escapes braces, because they would otherwise be interpreted
  /// as placeholders.
  init(verbatim text: String) {
    self.text = text.escapingScalars { ["{", "}"].contains($0) ? "\($0)\($0)" : nil }
      .replacingOccurrences(of: "](", with: "] (", options: .literal)
  }
}

/// A rule from the catalog.
struct SARIFRule: Encodable {
  var id: String
  var shortDescription: SARIFMessage
  var fullDescription: SARIFMessage
  var help: SARIFMessage
  var defaultConfiguration: Configuration

  struct Configuration: Encodable { var level: String }

  init(_ rule: Rule) {
    id = rule.id
    shortDescription = SARIFMessage(text: rule.summary)
    fullDescription = SARIFMessage(text: rule.reason)
    var parts = [("Why", rule.reason), ("Source", rule.source)]
    if let fix = rule.fix { parts.append(("Fix", fix)) }
    help = SARIFMessage(
      text: parts.map { "\($0): \($1)" }.joined(separator: "\n"),
      markdown: parts.map { "**\($0):** \($1)" }.joined(separator: "\n\n"))
    defaultConfiguration = Configuration(level: rule.severity.sarifLevel)
  }
}

/// A notification about a file that could not be checked.
struct SARIFNotification: Encodable {
  var level = "error"
  var message: SARIFMessage
  var locations: [SARIFLocation]

  init(_ failure: Explanation, at location: SARIFLocation) {
    message = SARIFMessage(
      verbatim: "\(failure.what): \(failure.why)" + (failure.next.map { "; next: \($0)" } ?? ""))
    locations = [location]
  }
}

extension Finding.Severity {
  var sarifLevel: String {
    switch self {
    case .info: "note"
    case .warning: "warning"
    case .error: "error"
    }
  }
}
