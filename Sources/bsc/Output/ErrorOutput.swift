import ClipModel
import Foundation
import Reports
import ShareEngine

/// Prints failures: two lines on stderr, and an object on stdout with `--json`.
enum ErrorOutput {
  /// - Parameters:
  ///   - subject: the input, as the user wrote it.
  ///   - namesSubject: the message starts with the input, because several are processed at a time.
  ///   - exitCode: overrides the exit code of the category.
  static func write(
    _ explanation: Explanation, subject: String? = nil, namesSubject: Bool = false, asJSON: Bool,
    exitCode: Int32? = nil
  ) {
    let explanation = (subject.map(explanation.naming) ?? explanation).withCauseOfMissingFile
      .withoutAddresses(Array(CommandLine.arguments.dropFirst()))
    let subject = subject.map(AddressRedaction.redacted)
    let base = subject.map { ($0 as NSString).lastPathComponent } ?? ""
    let name = namesSubject && !base.isEmpty && !explanation.what.contains(base) ? "\(base): " : ""
    var text: StyledText =
      "\("error:", .bad) \(name.onOneLine)\(explanation.what.onOneLine): \(explanation.why.onOneLine)\n"
    if let next = explanation.next { text += "\("next:", .faint) \(next.onOneLine)\n" }
    Console.writeError(text)
    guard asJSON else { return }
    Console.writeJSON(
      FailureDocument(
        input: subject, error: explanation, exitCode: exitCode ?? ExitStatus.code(for: explanation.category)))
  }
}

/// A failure as JSON.
struct FailureDocument: Encodable {
  var schema = "bsc.error/1"
  var input: String?
  var error: Explanation
  var exitCode: Int32
}
