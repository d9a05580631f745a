import ArgumentParser
import ClipModel
import Foundation
import LocalBackend
import Mustache
import Reports
import ShareEngine

/// A batch report as a web page: the saved space, the failures with their reasons, and a picture of each result.
enum BatchPage {
  /// Identifies the page as a report from bsc.
  static let marker = #"<meta name="generator" content="bsc">"#

  /// The width of a picture in pixels: twice its displayed width.
  private static let pictureWidth = 192
  /// Browsers can't handle pages with more pictures.
  private static let pictureLimit = 2000

  /// Renders the page.
  /// - Parameter all: the records with the absolute paths of their results.
  static func renderHTML(_ all: [(record: BatchRecord, output: String?)], seconds: Double) async throws -> String {
    let records = all.map(\.record)
    let outputs = all.prefix(pictureLimit).map { $0.record.byteCount == nil ? nil : $0.output }
    let pictures = try await BatchReportRequest.renderThumbnails(of: outputs, width: pictureWidth)
    // Rows of failed files come first.
    let rows = records.enumerated().sorted { sortKey($0.element) < sortKey($1.element) }.map { index, record in
      makeRow(record, picture: index < pictures.count ? pictures[index] : nil)
    }
    let before = records.reduce(0) { $0 + ($1.byteCount == nil ? 0 : $1.sourceByteCount ?? 0) }
    let after = records.reduce(0) { $0 + ($1.byteCount ?? 0) }
    let failureCount = records.count { $0.failure != nil }
    let content: [String: Any] = [
      "title": BatchText.formatTotals(BatchTotals(records)), "count": records.count.withNoun("file"),
      "saved": before > after ? ByteCount.text(before - after) : "nothing",
      "sizes": "\(ByteCount.text(before)) became \(ByteCount.text(after))",
      "share": min(100, BatchText.percentage(after, of: before)), "time": BatchText.formatDuration(seconds),
      "tool": "bsc \(BSC.configuration.version)", "rows": rows, "failures": failureCount,
      "hasFailures": failureCount > 0,
      "date": Date().formatted(.iso8601.year().month().day().dateSeparator(.dash)),
    ]
    return try MustacheTemplate(string: PageEscaping.escapedTemplate(from: PackageResources.batch_mustache)).render(
      content)
  }

  private static func sortKey(_ record: BatchRecord) -> String { "\(record.failure == nil ? 1 : 0) \(record.file)" }

  /// Returns the fields of a row. Their names differ from the names of the page's fields, because Mustache looks up
  /// missing fields in the page.
  private static func makeRow(_ record: BatchRecord, picture: Data?) -> [String: Any] {
    var reasons = record.findings.filter { $0.severity == .error }.map(\.message)
    if let error = record.error {
      reasons.append("\(error.what): \(error.why)" + (error.next.map { " — \($0)" } ?? ""))
    }
    var row: [String: Any] = [
      "file": record.file.printable, "status": record.status.text, "isBad": record.failure != nil,
      "decisions": record.decisions.map(\.what), "notes": record.notes, "reasons": reasons,
    ]
    row["picture"] = picture.map { "data:image/jpeg;base64," + $0.base64EncodedString() }
    row["duration"] = record.seconds > 0 ? BatchText.formatDuration(record.seconds) : nil
    if let before = record.sourceByteCount, let after = record.byteCount {
      row["result"] = record.output.map(\.printable)
      row["change"] = "\(ByteCount.text(before)) → \(ByteCount.text(after))"
      row["part"] = before > 0 ? min(100, BatchText.percentage(after, of: before)) : 100
    }
    return row
  }
}
