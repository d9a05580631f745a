import ClipModel
import Foundation

/// How failures are told: two lines for people on stderr, an object on stdout with `--json`.
enum ErrorOutput {
  static func write(_ explanation: Explanation, subject: String? = nil, asJSON: Bool) {
    var text = "error: \(explanation.what): \(explanation.why)\n"
    if let next = explanation.next { text += "next: \(next)\n" }
    Console.writeError(Console.printable(text))
    if asJSON {
      Console.writeJSON(
        FailureDocument(input: subject, error: explanation, exitCode: ExitStatus.code(for: explanation.category)))
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
