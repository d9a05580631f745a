import ClipModel
internal import Foundation

/// A table with a header, as a CSV file contains it.
public struct ImportTable: Equatable, Sendable {
  /// A record of the file.
  public struct Row: Equatable, Sendable {
    /// The one-based number of the line on which the row starts.
    public let line: Int
    /// The fields in the order of the columns, without their quotes.
    public let fields: [String]

    /// Creates a row from a record that a CSV reader returned.
    public init(line: Int, fields: [String]) {
      self.line = line
      self.fields = fields
    }
  }

  /// The largest number of rows of a table.
  public static let rowLimit = 100_000

  /// The names of the columns in the form `first_name`.
  let columns: [String]
  let rows: [Row]

  /// - Parameter records: all records of the file, the header first.
  public init(_ records: some Collection<Row>) throws(RecruitingError) {
    guard let header = records.first else { throw RecruitingError(.importEmpty) }
    guard records.count - 1 <= Self.rowLimit else {
      throw RecruitingError(.importRows, ["rows": "\(records.count - 1)", "limit": "\(Self.rowLimit)"])
    }
    columns = header.fields.map(Self.columnName)
    rows = records.dropFirst().filter { $0.fields.contains { !$0.trimmed.isEmpty } }
    var names: Set<String> = []
    for column in columns where !column.isEmpty && !names.insert(column).inserted {
      throw RecruitingError(.importColumnTwice, ["column": column])
    }
  }

  /// Other names of columns, as spreadsheets have them.
  private static let synonyms = [
    "first": "first_name", "last": "last_name", "surname": "last_name", "coach_name": "name", "school_name": "school",
    "college": "school", "university": "school", "title": "role", "position": "role", "twitter": "twitter_handle",
    "x": "twitter_handle", "x_handle": "twitter_handle", "instagram": "instagram_handle", "date": "occurred_at",
    "url": "post_url", "link": "post_url", "text": "post_content", "author": "author_name", "handle": "author_handle",
    "notes": "content",
  ]

  private static func columnName(_ text: String) -> String {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    let name = words.joined(separator: "_")
    return synonyms[name] ?? name
  }

  /// Fails unless the table has one of the sets of columns.
  func require(_ choices: [[String]]) throws(RecruitingError) {
    let isComplete = choices.contains { $0.allSatisfy(columns.contains) }
    guard isComplete else {
      throw RecruitingError(
        .importColumns,
        [
          "columns": choices[0].joined(separator: ", "),
          "found": columns.filter { !$0.isEmpty }.joined(separator: ", "),
        ])
    }
  }

  /// Reads all rows, and sorts them into new ones, duplicates and problems.
  /// - Parameters:
  ///   - known: the keys of existing items. Equal keys within the table are also duplicates.
  ///   - key: the value that is equal for duplicates.
  ///   - read: reads a row, or throws its problem.
  func preview<Item: Equatable & Sendable>(
    known: Set<String>, by key: KeyPath<Item, String>, read: (ImportFields) throws(ImportProblem.Reason) -> Item
  ) -> ImportPreview<Item> {
    var preview = ImportPreview<Item>()
    var keys = known
    for row in rows {
      guard row.fields.count <= columns.count else {
        preview.problems.append(ImportProblem(line: row.line, reason: .tooManyFields(row.fields.count, columns.count)))
        continue
      }
      do throws(ImportProblem.Reason) {
        let item = try read(ImportFields(columns: columns, fields: row.fields))
        if keys.insert(item[keyPath: key]).inserted {
          preview.items.append(ImportPreview.Entry(line: row.line, item: item))
        } else {
          preview.duplicateLines.append(row.line)
        }
      } catch {
        preview.problems.append(ImportProblem(line: row.line, reason: error))
      }
    }
    return preview
  }
}

/// The effect of an import. Nothing is stored.
public struct ImportPreview<Item: Equatable & Sendable>: Equatable, Sendable {
  /// A row that would be added.
  public struct Entry: Equatable, Sendable {
    /// The one-based number of the line on which the row starts.
    public let line: Int
    /// The values of the row.
    public let item: Item
  }

  /// The rows that would be added.
  public internal(set) var items: [Entry] = []
  /// The lines of rows that exist already, or are repeated in the table.
  public internal(set) var duplicateLines: [Int] = []
  /// The rows that would be skipped.
  public internal(set) var problems: [ImportProblem] = []
}

/// Why a row is skipped.
public struct ImportProblem: Equatable, Sendable {
  /// The reason, with the column and the value that caused it.
  public enum Reason: Error, Equatable, Sendable {
    /// A required column is empty.
    case missing(column: String)
    /// A value that is not one of a list, or not a date.
    case invalid(column: String, value: String)
    /// More characters than the limit.
    case tooLong(column: String, limit: Int)
    /// A handle or an address, with the error.
    case refused(column: String, RecruitingError)
    /// No coach or school has this name.
    case unknown(column: String, value: String)
    /// Several coaches or schools have this name.
    case ambiguous(column: String, value: String)
    /// More fields than the header has.
    case tooManyFields(Int, Int)
  }

  /// The one-based number of the line on which the row starts.
  public let line: Int
  /// Why the row is skipped.
  public let reason: Reason

  /// Creates a problem.
  public init(line: Int, reason: Reason) {
    self.line = line
    self.reason = reason
  }
}

/// The fields of a row by column.
struct ImportFields {
  private let columns: [String]
  private let fields: [String]

  init(columns: [String], fields: [String]) {
    self.columns = columns
    self.fields = fields
  }

  /// The text of a column without spaces at its ends, or `nil` if it is empty or missing. Spreadsheets write CRLF inside of
  /// fields, and the export guards formulas with an apostrophe. The character NUL is replaced.
  func text(
    _ column: String, limit: Int, of unit: TextLimit = .characters
  ) throws(ImportProblem.Reason) -> String? {
    guard let index = columns.firstIndex(of: column), index < fields.count else { return nil }
    let text = Self.text(of: fields[index])
    guard unit.length(of: text) <= limit else { throw .tooLong(column: column, limit: limit) }
    return text.isEmpty ? nil : text
  }

  private static func text(of field: String) -> String {
    CSVWriter.withoutGuard(field.withoutNUL.replacing("\r\n", with: "\n").replacing("\r", with: "\n").trimmed)
  }

  /// Returns the text that an import reads after the text was exported.
  static func imported(_ text: String?) -> String? { text.map { Self.text(of: CSVWriter.guarded($0)) } }

  func required(
    _ column: String, limit: Int, of unit: TextLimit = .characters
  ) throws(ImportProblem.Reason) -> String {
    guard let text = try text(column, limit: limit, of: unit) else { throw .missing(column: column) }
    return text
  }

  /// One of a list, by its stored value or its label, ignoring case.
  func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ column: String, label: (Value) -> String
  ) throws(ImportProblem.Reason) -> Value? {
    guard let text = try text(column, limit: 100) else { return nil }
    let wanted = text.lowercased()
    guard let value = Value.allCases.first(where: { $0.rawValue == wanted || label($0).lowercased() == wanted }) else {
      throw .invalid(column: column, value: text)
    }
    return value
  }

  func handle(_ column: String, on platform: SocialPlatform) throws(ImportProblem.Reason) -> SocialHandle? {
    guard let text = try text(column, limit: 200) else { return nil }
    do throws(RecruitingError) { return try SocialHandle(text, on: platform) } catch {
      throw .refused(column: column, error)
    }
  }

  func date(_ column: String, in zone: RecruitingTimeZone) throws(ImportProblem.Reason) -> Date? {
    guard let text = try text(column, limit: 100) else { return nil }
    guard let date = zone.date(of: text) else { throw .invalid(column: column, value: text) }
    return date
  }
}
