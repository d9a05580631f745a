import ClipModel
import Foundation
import Reports
import ShareEngine

/// How failures are told: two lines for people on stderr, an object on stdout with `--json`.
enum ErrorOutput {
  /// - Parameters:
  ///   - names: several inputs are worked on: the message names the one it is about.
  ///   - exitCode: where it is another one than the category's.
  static func write(
    _ explanation: Explanation, subject: String? = nil, names: Bool = false, asJSON: Bool, exitCode: Int32? = nil
  ) {
    let explanation = (subject.map(explanation.naming) ?? explanation).ofWrongName
      .withoutAddresses(Array(CommandLine.arguments.dropFirst()))
    let subject = subject.map(Address.shown)
    let base = subject.map { ($0 as NSString).lastPathComponent } ?? ""
    let name = names && !base.isEmpty && !explanation.what.contains(base) ? "\(base): " : ""
    var text: StyledText =
      "\("error:", .bad) \(name.onOneLine)\(explanation.what.onOneLine): \(explanation.why.onOneLine)\n"
    if let next = explanation.next { text += "\("next:", .faint) \(next.onOneLine)\n" }
    Console.writeError(text)
    if asJSON {
      Console.writeJSON(
        FailureDocument(
          input: subject, error: explanation, exitCode: exitCode ?? ExitStatus.code(for: explanation.category)))
    }
  }
}

/// A failure as JSON.
struct FailureDocument: Encodable {
  var schema = "bsc.error/1"
  var input: String?
  var error: Explanation
  var exitCode: Int32
}
