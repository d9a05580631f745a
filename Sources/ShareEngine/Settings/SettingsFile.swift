import ClipModel
import DurableFiles
import Foundation
import TOMLKit

/// Reads a TOML settings file of the user (`SettingScope.user`) or of a project (`SettingScope.project`).
enum SettingsFile {
  /// A setting in a file.
  struct FileEntry {
    let row: SettingRow
    let text: String
    let origin: SettingOrigin
  }

  /// The maximum size of a settings file in bytes, which is far more than any settings file needs.
  static let byteLimit = 1 << 20

  /// The valid settings in a file, and errors for invalid settings.
  struct FileContents {
    var entries: [FileEntry] = []
    var problems: [ShareEngineError] = []
  }

  /// Reads the settings in a file. Returns `nil` if there is no file.
  /// - Parameter rules: the rule settings, to which the file's rule settings are added.
  /// - Throws: `ShareEngineError` if the file cannot be parsed, or `DurableFileError` if it cannot be read.
  static func read(_ path: String, as scope: SettingScope, rules: inout RuleSettings) throws -> FileContents? {
    guard let bytes = try DurableFile.readIfPresent(path, limit: byteLimit) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ShareEngineError(.settingsNotUTF8, ["path": path])
    }
    return try parseContents(of: text, path: path, as: scope, rules: &rules)
  }

  /// Parses the text of a settings file. The text doesn't have to be in the file yet.
  static func parseContents(
    of text: String, path: String, as scope: SettingScope, rules: inout RuleSettings
  ) throws -> FileContents {
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let position = error.source.begin
      throw ShareEngineError(
        .settingsSyntax,
        ["path": path, "line": "\(position.line)", "column": "\(position.column)", "reason": error.description])
    }
    var contents = FileContents()
    for (key, text) in flattenTable(table, prefix: "") {
      do throws(ShareEngineError) {
        let origin = SettingOrigin.file(path: path, key: key)
        let row = key.hasPrefix(RuleSettingText.prefix) ? nil : try SettingTable.findRow(key, in: origin)
        if let row { try requireAllowedScope(of: row, path, scope) }
        guard let text else { throw ShareEngineError(.settingNotScalar, ["path": path, "setting": key]) }
        if let row {
          contents.entries.append(FileEntry(row: row, text: text, origin: origin))
        } else {
          try RuleSettingText.applySetting(key, text, to: &rules, origin: origin)
        }
      } catch {
        contents.problems.append(error)
      }
    }
    contents.problems += RuleSettingText.findInvalidRanges(rules, path: path)
    return contents
  }

  /// - Throws: `ShareEngineError` if the setting is not allowed in a file with this scope.
  static func requireAllowedScope(of row: SettingRow, _ path: String, _ scope: SettingScope) throws(ShareEngineError) {
    guard row.scope > scope else { return }
    throw ShareEngineError(
      row.scope == .user ? .settingOfUser : .settingSecret,
      ["path": path, "setting": row.key, "variable": row.environmentName])
  }

  /// Returns the dotted keys with their values as strings, or `nil` for values of unsupported types.
  private static func flattenTable(_ table: TOMLTable, prefix: String) -> [(key: String, text: String?)] {
    table.keys.flatMap { name -> [(key: String, text: String?)] in
      let key = prefix + name
      guard let value = table[name] else { return [] }
      if let inner = value.table { return flattenTable(inner, prefix: key + ".") }
      return [(key, valueText(of: value))]
    }
  }

  private static func valueText(of value: any TOMLValueConvertible) -> String? {
    switch value.type {
    case .string: value.string
    case .int: value.int.map { String($0) }
    case .double: value.double.map { String($0) }
    case .bool: value.bool.map { String($0) }
    case .table, .array, .date, .time, .dateTime: nil
    }
  }
}

/// The project's settings file, `.bsc.toml`.
enum ProjectFile {
  /// Finds the nearest settings file in `folder`, which is an absolute path, or in one of its parents. Only this file
  /// is used.
  static func find(from folder: String) -> String? {
    sequence(first: folder) { $0 == "/" ? nil : FilePathParts.folder(of: $0) }
      .map { ($0 as NSString).appendingPathComponent(".bsc.toml") }
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}
