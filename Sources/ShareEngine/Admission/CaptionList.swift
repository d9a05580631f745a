import ClipModel
import DurableFiles
import Foundation

/// The captions of several clips, from a CSV file with the columns `path` and `caption`.
package struct CaptionList: Sendable {
  private var captions: [String: String] = [:]

  /// - Parameters:
  ///   - path: an absolute path.
  ///   - name: the path as the user wrote it.
  ///   - files: the clips as the user wrote them. Each clip needs one line, and each line one clip. Relative and absolute
  ///     paths of the same file match.
  package init(path: String, named name: String, for files: [String]) throws {
    let bytes = try DurableFile.read(path, limit: 16 << 20)
    func failure(_ reason: String, line: Int? = nil) -> ShareEngineError {
      ShareEngineError(.captions, ["list": name, "reason": line.map { "line \($0): \(reason)" } ?? reason])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("it is not UTF-8") }
    let records: [CSVRecord]
    do throws(CSVRecord.Problem) { records = try CSVRecord.all(in: text) } catch {
      throw failure(error.reason, line: error.line)
    }
    let paths = Set(files.map(absolutePath))
    for (position, record) in records.enumerated() {
      if position == 0, record.fields == ["path", "caption"] { continue }
      guard record.fields.count == 2 else {
        throw failure("expected 2 fields, found \(record.fields.count)", line: record.line)
      }
      let file = absolutePath(record.fields[0])
      guard paths.contains(file) else {
        throw failure("\(record.fields[0]) is not one of the clips to share", line: record.line)
      }
      // Spreadsheets write CRLF, also inside captions.
      let caption = record.fields[1].replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      guard captions.updateValue(caption, forKey: file) == nil else {
        throw failure("\(record.fields[0]) already has a caption", line: record.line)
      }
    }
    if let missing = files.first(where: { captions[absolutePath($0)] == nil }) {
      throw failure("it has no line for \(missing)")
    }
  }

  package subscript(file: String) -> String? { captions[absolutePath(file)] }
}
