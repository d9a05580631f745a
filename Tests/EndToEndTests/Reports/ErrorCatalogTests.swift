import ClipModel
import Foundation
import Reports
import Testing

@testable import bsc

/// `Docs/errors.md` is the snapshot of all error texts: other tests check ids and facts. After a change of a text, run
/// this suite with `BSC_WRITE_ERRORS=1` in the environment, which writes the page, and review the difference.
@Suite struct ErrorCatalogTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  @Test func pageHasAllTexts() throws {
    let path = Self.root.appending(path: "Docs/errors.md")
    let page = try Self.page()
    if ProcessInfo.processInfo.environment["BSC_WRITE_ERRORS"] != nil {
      try page.write(to: path, atomically: true, encoding: .utf8)
    }
    let stored = try String(contentsOf: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let difference = page.split(separator: "\n", omittingEmptySubsequences: false).difference(from: stored)
    #expect(difference.isEmpty, "run this suite with BSC_WRITE_ERRORS=1: \(difference)")
  }

  @Test func everyErrorHasAdvice() {
    for sample in ErrorSamples.all { #expect(sample.next != nil, "\(sample.id)") }
  }

  @Test func everyAdviceHasAnError() {
    let ids = Set(ErrorSamples.all.map(\.id))
    let unused = Advice.table.keys.filter { !ids.contains(String($0.prefix { $0 != "/" })) }
    #expect(unused.isEmpty)
  }

  /// The category of an error can depend on the command, but each id has one text.
  @Test func idsAreWellFormedAndDistinct() {
    for sample in ErrorSamples.all { #expect(sample.id.wholeMatch(of: /[a-z]+\.[a-z0-9-]+/) != nil, "\(sample.id)") }
    let repeated = Dictionary(grouping: ErrorSamples.texts, by: \.id).filter { $1.count > 1 }
    #expect(repeated.isEmpty, "\(repeated.keys)")
  }

  /// No error in the sources lacks a sample: each literal that is an id, or the end of one, is in the list.
  @Test func idsInSourcesAreListed() throws {
    let ids = Set(ErrorSamples.all.map(\.id))
    let reasons = Set(ids.map { String($0.split(separator: ".")[1]) })
    let sources = Self.root.appending(path: "Sources")
    var count = 0
    for case let file as URL in FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil) ?? .init()
    where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let literals = text.matches(of: /\b(?:explain|makeExplanation|ErrorText|\w+Error)\(\s*"([a-z.-]+)"/)
        .map(\.output.1)
      let labels = text.matches(of: /Explanation\(\s*id: "([a-z.-]+)"/).map(\.output.1)
      for id in literals + labels {
        count += 1
        #expect(
          id.contains(".") ? ids.contains(String(id)) : reasons.contains(String(id)), "\(file.lastPathComponent): \(id)"
        )
      }
    }
    #expect(count > 150)
  }

  private static let groups: [(FailureCategory, String)] = [
    (.unexpected, "unexpected error"), (.unjudged, "the file could not be judged"),
    (.rejected, "rejected by the rules, or private data was found"),
    (.notConfigured, "not configured, or not signed in"),
    (.remote, "the remote failed or cannot be reached"), (.locked, "another bsc process is using it"),
    (.usage, "the command line is wrong"), (.noInput, "the input is missing or unreadable"),
    (.inputOutput, "disk full, or input/output error"), (.interrupted, "interrupted"),
  ]

  private static func page() throws -> String {
    let parts = groups.map { category, meaning in
      let rows = Set(ErrorSamples.all.filter { $0.category == category }.map(row)).sorted()
      return """
        ## \(ExitStatus.exitCode(for: category)): \(meaning)

        | id | what: why | next |
        | --- | --- | --- |
        \(rows.joined(separator: "\n"))

        """
    }
    return ([head] + parts).joined(separator: "\n")
  }

  private static func row(_ sample: Explanation) -> String {
    let cells = ["`\(sample.id)`", "\(sample.what): \(sample.why)", sample.next ?? ""]
    return "| \(cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ")) |"
  }

  private static let head = """
    # Errors

    Every error reports what failed and why, and what to do next:

    ```
    error: cannot upload clip.mp4: the upload URL has expired
    next: request a new upload URL
    ```

    With `--json`, an error also has its `id` and the values in its text as `facts`. Ids keep their meaning, as exit codes
    do; texts can change. This page lists all errors by exit code ([exit-codes.md](exit-codes.md)) and id. `{file}` stands
    for a value. The exit code for several files is that of the worst error.

    Problems of a clip are findings of rules, each with an id in brackets (`[clip.duration]`): see
    [validate.md](validate.md), or run `bsc validate --explain ID`. HTTP responses of servers are not listed here.

    `ErrorCatalogTests` writes this page.

    """
}
