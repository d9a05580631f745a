import ClipModel
import DurableFiles
import Foundation
import TOMLKit

/// Reads a TOML settings file that belongs to the user (`SettingScope.user`) or to a project (`SettingScope.project`).
enum SettingsFile {
  /// A setting in a file.
  struct Entry {
    let row: SettingRow
    let text: String
    let origin: SettingOrigin
  }

  /// The maximum size in bytes, far more than any settings file needs.
  static let byteLimit = 1 << 20

  /// The valid settings in a file, and errors for the invalid ones.
  struct Contents {
    var entries: [Entry] = []
    var problems: [ShareEngineError] = []
  }

  /// Reads the settings in the file; `nil` when there is no file.
  /// - Parameter rules: receives the settings for rules.
  /// - Throws: `ShareEngineError` when the file cannot be parsed; `DurableFileError`.
  static func read(_ path: String, as scope: SettingScope, rules: inout RuleSettings) throws -> Contents? {
    guard let bytes = try DurableFile.readIfPresent(path, limit: byteLimit) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ShareEngineError(.settingsNotUTF8, ["path": path])
    }
    return try contents(of: text, path: path, as: scope, rules: &rules)
  }

  /// Like `read`, for text that has not been written to the file yet.
  static func contents(
    of text: String, path: String, as scope: SettingScope, rules: inout RuleSettings
  ) throws -> Contents {
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let position = error.source.begin
      throw ShareEngineError(
        .settingsSyntax,
        ["path": path, "line": "\(position.line)", "column": "\(position.column)", "reason": error.description])
    }
    var contents = Contents()
    for (key, text) in flatten(table, prefix: "") {
      do throws(ShareEngineError) {
        let origin = SettingOrigin.file(path: path, key: key)
        let row = key.hasPrefix(RuleSettingText.prefix) ? nil : try SettingTable.row(key, in: origin)
        if let row { try checkScope(of: row, path, scope) }
        guard let text else { throw ShareEngineError(.settingNotScalar, ["path": path, "setting": key]) }
        if let row {
          contents.entries.append(Entry(row: row, text: text, origin: origin))
        } else {
          try RuleSettingText.apply(key, text, to: &rules, origin: origin)
        }
      } catch {
        contents.problems.append(error)
      }
    }
    contents.problems += RuleSettingText.problems(rules, path: path)
    return contents
  }

  /// - Throws: if the setting is not allowed in a file with this scope.
  static func checkScope(of row: SettingRow, _ path: String, _ scope: SettingScope) throws(ShareEngineError) {
    guard row.scope > scope else { return }
    throw ShareEngineError(
      row.scope == .user ? .settingOfUser : .settingSecret,
      ["path": path, "setting": row.key, "variable": row.environmentName])
  }

  /// Dotted keys with their values as text; `nil` for values of unsupported types.
  private static func flatten(_ table: TOMLTable, prefix: String) -> [(key: String, text: String?)] {
    table.keys.flatMap { name -> [(key: String, text: String?)] in
      let key = prefix + name
      guard let value = table[name] else { return [] }
      if let inner = value.table { return flatten(inner, prefix: key + ".") }
      return [(key, text(of: value))]
    }
  }

  private static func text(of value: any TOMLValueConvertible) -> String? {
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
  /// The nearest settings file in `folder` (an absolute path) or one of its parents. Only this file is used.
  static func find(from folder: String) -> String? {
    sequence(first: folder) { $0 == "/" ? nil : FilePathParts.folder(of: $0) }
      .map { ($0 as NSString).appendingPathComponent(".bsc.toml") }
      .first { FileManager.default.fileExists(atPath: $0) }
  }
}
