import ClipModel
import DurableFiles
import Foundation

/// The captions of several clips, from a CSV file of `path,caption`.
package struct CaptionList: Sendable {
  private var captions: [String: String] = [:]

  /// - Parameters:
  ///   - path: absolute.
  ///   - name: as the user named it.
  ///   - files: the clips as they were named; each has one line, and each line one clip. Paths are compared as files.
  package init(path: String, named name: String, for files: [String]) throws {
    let bytes = try DurableFile.read(path, limit: 16 << 20)
    func failure(_ why: String, line: Int? = nil) -> ShareEngineError {
      ShareEngineError(.captions, ["list": name, "reason": line.map { "line \($0): \(why)" } ?? why])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure("it is no UTF-8") }
    let records: [CSVRecord]
    do throws(CSVRecord.Problem) { records = try CSVRecord.all(in: text) } catch {
      throw failure(error.reason, line: error.line)
    }
    let wanted = Set(files.map(absolutePath))
    for (position, record) in records.enumerated() {
      if position == 0, record.fields == ["path", "caption"] { continue }
      guard record.fields.count == 2 else {
        throw failure("it has \(record.fields.count.counting("field")), not two", line: record.line)
      }
      let file = absolutePath(record.fields[0])
      guard wanted.contains(file) else {
        throw failure("\(record.fields[0]) is none of the clips that are to be shared", line: record.line)
      }
      // Spreadsheets end every line with CRLF, those inside of a caption too.
      let caption = record.fields[1].replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      guard captions.updateValue(caption, forKey: file) == nil else {
        throw failure("\(record.fields[0]) has a caption already", line: record.line)
      }
    }
    if let missing = files.first(where: { captions[absolutePath($0)] == nil }) {
      throw failure("it has no line for \(missing)")
    }
  }

  package subscript(file: String) -> String? { captions[absolutePath(file)] }
}
