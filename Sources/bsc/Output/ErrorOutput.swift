import ClipModel
import Foundation
import Reports
import ShareEngine

/// Prints failures: two lines on stderr and, with `--json`, an object on stdout.
enum ErrorOutput {
  /// - Parameters:
  ///   - subject: the input as the user entered it.
  ///   - namesSubject: whether the message starts with the input's name, because several inputs are processed at a
  ///     time.
  ///   - exitCode: overrides the category's exit code.
  static func write(
    _ explanation: Explanation, subject: String? = nil, namesSubject: Bool = false, asJSON: Bool,
    exitCode: Int32? = nil
  ) {
    let explanation = (subject.map(explanation.withPathsAsEntered(for:)) ?? explanation).withCauseOfMissingFile
      .withoutURLs(Array(CommandLine.arguments.dropFirst()))
    let subject = subject.map(AddressRedaction.redactPath)
    let base = subject.map { ($0 as NSString).lastPathComponent } ?? ""
    let name = namesSubject && !base.isEmpty && !explanation.names(base) ? "\(base): " : ""
    var text: StyledText =
      "\("error:", .bad) \(name.onOneLine)\(explanation.what.onOneLine): \(explanation.why.onOneLine)\n"
    if let next = explanation.next { text += "\("next:", .faint) \(next.onOneLine)\n" }
    Console.writeError(text)
    guard asJSON else { return }
    Console.writeJSON(
      FailureDocument(
        input: subject, error: explanation, exitCode: exitCode ?? ExitStatus.exitCode(for: explanation.category)))
  }
}

/// The JSON document that describes a failure.
struct FailureDocument: Encodable {
  var schema = "bsc.error/1"
  var input: String?
  var error: Explanation
  var exitCode: Int32
}
