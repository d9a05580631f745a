import ClipModel
import DurableFiles
import Foundation

/// Captions for several clips, read from a CSV file with the columns `path` and `caption`.
package struct CaptionList: Sendable {
  private var captions: [String: String] = [:]

  /// - Parameters:
  ///   - path: the absolute path of the CSV file.
  ///   - name: the path of the CSV file as the user entered it, for error messages.
  ///   - files: the clip paths as the user entered them. The CSV file must have exactly one line for each clip.
  ///     Relative and absolute paths of the same file match.
  package init(path: String, named name: String, for files: [String]) throws {
    let bytes = try DurableFile.read(path, limit: 16 << 20)
    func makeError(_ reason: String, line: Int? = nil) -> ShareEngineError {
      ShareEngineError(.captions, ["list": name, "reason": line.map { "line \($0): \(reason)" } ?? reason])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw makeError("the file is not valid UTF-8") }
    let records: [CSVRecord]
    do throws(CSVRecord.SyntaxError) { records = try CSVRecord.parseRecords(in: text) } catch {
      throw makeError(error.reason, line: error.line)
    }
    let paths = Set(files.map(absolutePath))
    for (position, record) in records.enumerated() {
      if position == 0, record.fields == ["path", "caption"] { continue }
      guard record.fields.count == 2 else {
        throw makeError("expected 2 fields, found \(record.fields.count)", line: record.line)
      }
      let file = absolutePath(record.fields[0])
      guard paths.contains(file) else {
        throw makeError("\(record.fields[0]) is not one of the clips to share", line: record.line)
      }
      // Spreadsheet apps write CRLF line endings, even inside captions.
      let caption = record.fields[1].replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      guard captions.updateValue(caption, forKey: file) == nil else {
        throw makeError("\(record.fields[0]) already has a caption", line: record.line)
      }
    }
    if let missing = files.first(where: { captions[absolutePath($0)] == nil }) {
      throw makeError("the file has no caption for \(missing)")
    }
  }

  package subscript(file: String) -> String? { captions[absolutePath(file)] }
}
