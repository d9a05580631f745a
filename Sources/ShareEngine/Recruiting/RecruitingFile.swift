#if Recruiting
import ClipModel
import DurableFiles
import Foundation
package import Recruiting

/// Reads the tables that users import.
package enum RecruitingFile {
  /// A table of 100,000 rows has a few dozen megabytes.
  private static let sizeLimit = 256 << 20

  /// Reads a CSV file with any common separator and encoding, or a JSON file with a list of objects.
  /// - Parameters:
  ///   - path: the absolute path.
  ///   - name: the path as the user entered it, for errors.
  package static func table(at path: String, named name: String) async throws -> ImportTable {
    let rows = try await WorkerThread.run("bsc import") { _ in
      try records(Array(try DurableFile.read(path, limit: sizeLimit)), named: name)
    }
    return try ImportTable(rows)
  }

  private static func records(_ bytes: [UInt8], named name: String) throws -> [ImportTable.Row] {
    let text = CSVRecord.decode(bytes)
    if text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "[" { return try objects(text, named: name) }
    do throws(CSVRecord.SyntaxError) {
      return try CSVRecord.parseRecords(in: text, separatedBy: .detect(in: text)).map {
        ImportTable.Row(line: $0.line, fields: $0.fields)
      }
    } catch {
      throw ShareEngineError(.importSyntax, ["file": name, "reason": "line \(error.line): \(error.reason)"])
    }
  }

  /// A list of objects as a table. The number of an object, from 1, is its line.
  private static func objects(_ text: String, named name: String) throws -> [ImportTable.Row] {
    guard let list = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] else {
      throw ShareEngineError(.importSyntax, ["file": name, "reason": "it is not a list of objects in JSON"])
    }
    let columns = Set(list.flatMap(\.keys)).sorted()
    let rows = list.enumerated().map { index, object in
      ImportTable.Row(line: index + 1, fields: columns.map { object[$0].flatMap(field) ?? "" })
    }
    return [ImportTable.Row(line: 0, fields: columns)] + rows
  }

  private static func field(_ value: Any) -> String? {
    switch value {
    case let text as String: text
    case let number as NSNumber: number.stringValue
    default: nil
    }
  }
}
#endif
