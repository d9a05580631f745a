import ClipModel
import Foundation

// The objects of SARIF 2.1.0, as far as they are written; names are the standard's.

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
    /// What relative paths begin at; where that is, differs from machine to machine.
    var originalUriBaseIds = [
      SARIFLocation.workingFolder: BaseFolder(description: .init(text: "the folder that bsc ran in"))
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

  /// Shown as it is: braces would be placeholders, and brackets in front of parentheses a link to anywhere.
  init(verbatim text: String) {
    self.text = text.escapingScalars { ["{", "}"].contains($0) ? "\($0)\($0)" : nil }
      .replacingOccurrences(of: "](", with: "] (", options: .literal)
  }
}

/// A rule of the catalogue.
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
    if let fix = rule.fix { parts.append(("What helps", fix)) }
    help = SARIFMessage(
      text: parts.map { "\($0): \($1)" }.joined(separator: "\n"),
      markdown: parts.map { "**\($0):** \($1)" }.joined(separator: "\n\n"))
    defaultConfiguration = Configuration(level: rule.severity.sarifLevel)
  }
}

/// A file that could not be judged.
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
