import ArgumentParser
import ClipMedia
import ClipModel
import Foundation
import LocalBackend
import Mustache
import Reports
import ShareEngine

/// The report of a batch as one page: what was saved, what failed and why, a picture of each result.
struct BatchPage {
  private let records: [BatchRecord]
  private let outputs: [String?]
  private let seconds: Double

  /// In each page: by this it is known again.
  static let mark = #"<meta name="generator" content="bsc">"#

  /// Pixels of a picture's long side, twice what it is shown at.
  private static let pictureWidth = 192
  /// Pictures of more results make a page that no browser likes.
  private static let pictureLimit = 2000

  init(_ records: [BatchRecord], outputs: [String?], seconds: Double) {
    self.records = records
    self.outputs = outputs
    self.seconds = seconds
  }

  func html() async throws -> String {
    let pictures = try await pictures()
    var totals = BatchTotals()
    for record in records { totals.add(record) }
    let rows = zip(records, pictures).sorted { Self.order($0.0) < Self.order($1.0) }
      .map { Row($0.0, picture: $0.1) }
    let before = records.reduce(0) { $0 + ($1.byteCount == nil ? 0 : $1.sourceByteCount ?? 0) }
    let after = records.reduce(0) { $0 + ($1.byteCount ?? 0) }
    let content = Content(
      title: BatchText.outcome(totals), count: records.count.counting("file"),
      saved: before > after ? ByteCount.text(before - after) : "nothing",
      sizes: "\(ByteCount.text(before)) became \(ByteCount.text(after))",
      share: before > 0 ? min(100, Int((Double(after) / Double(before) * 100).rounded())) : 0,
      time: BatchText.time(seconds), tool: "bsc \(BSC.configuration.version)", rows: rows,
      failures: rows.count { $0.isBad }, hasFailures: rows.contains { $0.isBad },
      date: Date().formatted(.iso8601.year().month().day().dateSeparator(.dash)))
    let template = try MustacheTemplate(string: PageEscaping.applied(to: PackageResources.batch_mustache))
    return template.render(content)
  }

  /// What needs a person comes first.
  private static func order(_ record: BatchRecord) -> String {
    "\(record.failure == nil ? 1 : 0) \(record.file)"
  }

  private func pictures() async throws -> [String?] {
    let folder = FileManager.default.temporaryDirectory.path + "/bsc-report-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var pictures: [String?] = []
    for (record, output) in zip(records, outputs) {
      try Task.checkCancellation()
      guard record.byteCount != nil, let output, pictures.count < Self.pictureLimit else {
        pictures.append(nil)
        continue
      }
      var framing = PictureFraming(atSeconds: 1)
      framing.width = Self.pictureWidth
      let path = "\(folder)/picture.jpg"
      // A result without a picture is still a result.
      let isDrawn = (try? await PictureRendering.draw(framing, of: output, to: path)) != nil
      let bytes = isDrawn ? FileManager.default.contents(atPath: path) : nil
      try? FileManager.default.removeItem(atPath: path)
      pictures.append(bytes.map { "data:image/jpeg;base64," + $0.base64EncodedString() })
    }
    return pictures
  }

  private struct Content {
    var title: String
    var count: String
    var saved: String
    var sizes: String
    var share: Int
    var time: String
    var tool: String
    var rows: [Row]
    var failures: Int
    var hasFailures: Bool
    var date: String
  }

  private struct Row {
    /// No name of a row is one of the page's: an empty field would be looked up there.
    var file: String
    var result: String?
    var status: String
    var isBad: Bool
    var picture: String?
    var change: String?
    var part: Int?
    var decisions: [String]
    var notes: [String]
    var reasons: [String]
    var duration: String?

    init(_ record: BatchRecord, picture: String?) {
      file = record.file.printable
      result = record.byteCount == nil ? nil : record.output.map(\.printable)
      status = record.status.rawValue
      isBad = record.failure != nil
      self.picture = picture
      if let before = record.sourceByteCount, let after = record.byteCount {
        change = "\(ByteCount.text(before)) → \(ByteCount.text(after))"
        part = before > 0 ? min(100, Int((Double(after) / Double(before) * 100).rounded())) : 100
      }
      decisions = record.decisions.map(\.what)
      notes = record.notes
      reasons = record.findings.filter { $0.severity == .error }.map(\.message)
      if let error = record.error {
        reasons.append("\(error.what): \(error.why)" + (error.next.map { " — \($0)" } ?? ""))
      }
      duration = record.seconds > 0 ? BatchText.time(record.seconds) : nil
    }
  }
}
