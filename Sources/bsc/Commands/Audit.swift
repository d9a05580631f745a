import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import Privacy
import Reports
import ShareEngine

struct Audit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show where files tell the place they were filmed; exit 4 if any does.",
    discussion: """
      EXAMPLES:
        bsc audit clip.mp4
        bsc audit season/               every video in the folder
        bsc audit --json --identifiers clip.mp4

      Everything that tells a place is named with its box or track, its bytes, and the \
      number of points; where that is, to a degree. What cannot be read counts as well: \
      nobody can say that there is no place in it. Cameras' and owners' names and dates \
      are shown and count only when asked for.

      Exit codes: 0 nothing found, 4 something was found in at least one file, 3 nothing \
      was found, but a file could not be judged.
      """)

  @Argument(help: "Files, or folders of videos.", completion: .file())
  var paths: [String]

  @Flag(help: "Serial numbers, camera and owner count too.")
  var identifiers = false

  @Flag(help: "Recording dates count too.")
  var dates = false

  @Flag(help: "Print positions as they were read, not to a degree.")
  var showValues = false

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let folders = try [MediaFolder](paths, to: "audit")
    let files = folders.flatMap(\.files)
    let lost = folders.flatMap(\.lost)
    var (tellingCount, judgedCount) = (0, 0)
    let code = try await InputRunner.run(
      files, lost: lost, named: \.self, asJSON: output.json, findingsWin: true
    ) { file in
      guard try FileIdentity.of(absolutePath(file)).byteCount > 0 else {
        throw CommandFailure(.emptyFile, ["verb": "audit", "file": file], category: .unjudged)
      }
      let report = try await Auditor.audit(path: absolutePath(file))
      let isClean = !report.found.contains { counts($0.carrier) }
      show(file, report, isClean: isClean)
      if !isClean { tellingCount += 1 }
      if isClean, !report.unverified.isEmpty { return .unjudged }
      judgedCount += 1
      return isClean ? nil : .rejected
    }
    if !output.quiet {
      if let leftAside = folders.leftAside { Console.writeError(leftAside + "\n") }
      if files.count > 1 {
        let unjudgedCount = files.count + lost.count - judgedCount
        let unjudged = unjudgedCount > 0 ? ", \(unjudgedCount) could not be judged" : ""
        Console.writeError(
          "\(files.count + lost.count) files: \(tellingCount) \(tellingCount == 1 ? "tells" : "tell") more than the film"
            + "\(unjudged)\n")
      }
    }
    try ExitStatusError.end(with: code)
  }

  private func counts(_ carrier: PrivacyCarrier) -> Bool {
    carrier.mustGo || (identifiers && carrier.disclosure == .identity) || (dates && carrier.disclosure == .date)
  }

  /// What has to be said besides, so that everything goes that counts.
  private func flags(for report: AuditReport) -> String {
    let told = Set(report.found.map(\.carrier.disclosure))
    return (identifiers && told.contains(.identity) ? "--identifiers " : "")
      + (dates && told.contains(.date) ? "--dates " : "")
  }

  private func show(_ file: String, _ report: AuditReport, isClean: Bool) {
    if output.json {
      return Console.writeJSON(AuditDocument(file: file, report: report, isClean: isClean, exactly: showValues))
    }
    guard !output.quiet || !isClean || !report.unverified.isEmpty else { return }
    let mark: StyledText =
      isClean ? report.unverified.isEmpty ? "\("✓", .good)" : "\("?", .doubtful)" : "\("✗", .bad)"
    var lines: [StyledText] = ["\(mark) \(whole: file.onOneLine, .strong)"]
    lines += report.found.map { found in
      StyledText(
        CarrierText.line(found.carrier, near: CarrierText.position(found, exactly: showValues)),
        counts(found.carrier) ? .doubtful : nil)
    }
    lines += report.unverified.map { "  unknown    \($0)" }
    if !isClean { lines.append("  \("next", .faint)       bsc strip \(flags(for: report))\(shellWord(file))") }
    Console.write(lines.lines)
  }
}

struct AuditDocument: Encodable {
  var schema = "bsc.audit/1"
  var file: String
  /// `clean`, `found` or `unknown`.
  var verdict: String
  /// `null` for a kind that is not known, looked through as bytes.
  var container: String?
  var byteCount: Int64
  var carriers: [CarrierDocument]
  /// What could not be judged.
  var unread: [String]

  init(file: String, report: AuditReport, isClean: Bool, exactly isExact: Bool) {
    self.file = file
    verdict = isClean ? report.unverified.isEmpty ? "clean" : "unknown" : "found"
    container = report.container
    byteCount = report.byteCount
    carriers = report.found.map { CarrierDocument($0, exactly: isExact) }
    unread = report.unverified
  }
}
