import ArgumentParser
import ClipModel
import Privacy
import Reports
import ShareEngine

struct Audit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Find location data in video files",
    discussion: """
      EXAMPLES:
        bsc audit clip.mp4
        bsc audit season/               all videos in the folder
        bsc audit --json --identifiers clip.mp4

      Lists all private metadata: its MP4 box or track, its byte range, and its GPS positions, rounded to a degree. \
      Location data counts as a finding, and so does unreadable data, because it may contain location data. With \
      --identifiers, serial numbers, the camera and the owner also count; with --dates, recording dates also count.

      Exit codes: 0 no findings; 4 findings in at least one file; 3 no findings, but some files could not be checked.
      """)

  @Argument(help: "Video files or folders.", completion: .file())
  var paths: [String]

  @Flag(help: "Also treat serial numbers, the camera and the owner as findings.")
  var identifiers = false

  @Flag(help: "Also treat recording dates as findings.")
  var dates = false

  @Flag(help: "Print exact positions instead of rounded ones.")
  var showValues = false

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let folders = try [MediaFolder](paths, to: "audit")
    let lost = folders.flatMap(\.unreadable)
    let files = folders.flatMap(\.files)
    var counts: [AuditDocument.Verdict: Int] = [:]
    func summarize() {
      self.summarize(counts, fileCount: files.count + lost.count, skipped: folders.skippedSummary)
    }
    try await InputRunner.run(
      files, lost: lost, named: \.self, asJSON: output.json, findingsWin: true, atEnd: summarize
    ) { file in
      let report = try await FileInspection.audit(file)
      let isFound = report.found.contains { self.isFinding($0.carrier) }
      let document = AuditDocument(file: file, report, isFound: isFound, exactly: showValues)
      showReport(report, document)
      counts[document.verdict, default: 0] += 1
      return [.found: .rejected, .unknown: .unjudged][document.verdict]
    }
  }

  private func isFinding(_ carrier: PrivacyCarrier) -> Bool {
    carrier.mustBeRemoved || (identifiers && carrier.disclosure == .identity) || (dates && carrier.disclosure == .date)
  }

  private func showReport(_ report: AuditReport, _ document: AuditDocument) {
    if output.json { return Console.writeJSON(document) }
    guard !output.quiet || document.verdict != .clean else { return }
    let mark: StyledText =
      switch document.verdict {
      case .clean: "\("✓", .good)"
      case .unknown: "\("?", .doubtful)"
      case .found: "\("✗", .bad)"
      }
    var lines: [StyledText] = ["\(mark) \(whole: document.file.onOneLine, .strong)"]
    lines += report.found.map { found in
      StyledText(
        CarrierText.formatLine(found.carrier, near: CarrierText.formatPosition(found, exactly: showValues)),
        isFinding(found.carrier) ? .doubtful : nil)
    }
    lines += report.unverified.map { "  unknown    \($0)" }
    if document.verdict == .found {
      // The options that make `strip` remove the reported data.
      let found = Set(report.found.map(\.carrier.disclosure))
      let flags = [
        identifiers && found.contains(.identity) ? "--identifiers " : "",
        dates && found.contains(.date) ? "--dates " : "",
      ]
      lines.append("  \("next", .faint)       bsc strip \(flags.joined())\(quoteForShell(document.file))")
    }
    Console.write(lines.lines)
  }

  private func summarize(_ counts: [AuditDocument.Verdict: Int], fileCount: Int, skipped: String?) {
    guard !output.quiet else { return }
    if let skipped { Console.writeError(skipped + "\n") }
    guard fileCount > 1 else { return }
    let checkedCount = counts[.clean, default: 0] + counts[.found, default: 0]
    let data = identifiers || dates ? "private metadata" : "location data"
    let found = counts[.found].map { "\($0) with \(data)" } ?? "no \(data) found"
    let unchecked = fileCount > checkedCount ? ", \(fileCount - checkedCount) could not be checked" : ""
    Console.writeError("\(checkedCount.withNoun("file")) checked, \(found)\(unchecked)\n")
  }
}

struct AuditDocument: Encodable {
  enum Verdict: String, Encodable { case clean, found, unknown }

  var schema = "bsc.audit/1"
  var file: String
  var verdict: Verdict
  /// The file's container format; `null` if it is unknown.
  var container: String?
  var byteCount: Int64
  var carriers: [CarrierDocument]
  /// The parts of the file that could not be checked.
  var unread: [String]

  init(file: String, _ report: AuditReport, isFound: Bool, exactly isExact: Bool) {
    self.file = file
    verdict = isFound ? .found : report.unverified.isEmpty ? .clean : .unknown
    (container, byteCount, unread) = (report.container, report.byteCount, report.unverified)
    carriers = report.found.map { CarrierDocument($0, exactly: isExact) }
  }
}
