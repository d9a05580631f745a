import ClipModel
import DurableFiles
import Foundation
import TOMLKit

/// A TOML file of settings: the user's, or a project's.
enum SettingsFile {
  enum Owner {
    case user, project

    var scope: SettingScope {
      switch self {
      case .user: .user
      case .project: .project
      }
    }
  }

  /// A setting as the file has it.
  struct Entry {
    let row: SettingRow
    let text: String
    let origin: SettingOrigin
  }

  /// More than any file of settings needs.
  static let longestFile = 1 << 20

  /// What a file says, as far as it can be used, and what is wrong with the rest.
  struct Contents {
    var entries: [Entry] = []
    var problems: [ShareEngineError] = []
  }

  /// The settings in the file, checked for their names and for who may set them; `nil` when there is no file.
  /// - Parameter rules: what the file says of rules is put in there.
  /// - Throws: `ShareEngineError` for a file that is no settings at all; `DurableFileError`.
  static func read(_ path: String, as owner: Owner, rules: inout RuleSettings) throws -> Contents? {
    guard let bytes = try DurableFile.readIfPresent(path, limit: longestFile) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ShareEngineError(.settingsNotUTF8, ["path": path])
    }
    return try contents(of: text, path: path, as: owner, rules: &rules)
  }

  /// As `read`, of a text that is to become the file.
  static func contents(
    of text: String, path: String, as owner: Owner, rules: inout RuleSettings
  ) throws -> Contents {
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw ShareEngineError(
        .settingsSyntax,
        [
          "path": path, "line": "\(error.source.begin.line)", "column": "\(error.source.begin.column)",
          "reason": error.description,
        ])
    }
    var contents = Contents()
    for (key, text) in flatten(table, prefix: "") {
      do {
        if let entry = try entry(key, text, path: path, as: owner, rules: &rules) { contents.entries.append(entry) }
      } catch {
        contents.problems.append(error)
      }
    }
    contents.problems += RuleSettingText.problems(rules, path: path)
    return contents
  }

  /// One setting; `nil` for what was said of a rule.
  private static func entry(
    _ key: String, _ text: String?, path: String, as owner: Owner, rules: inout RuleSettings
  ) throws(ShareEngineError) -> Entry? {
    let origin = SettingOrigin.file(path: path, key: key)
    if key.hasPrefix(RuleSettingText.prefix) {
      guard let text else {
        throw ShareEngineError(.settingNotScalar, ["path": path, "setting": key])
      }
      try RuleSettingText.apply(key, text, to: &rules, origin: origin)
      return nil
    }
    let row = try SettingTable.row(key, in: origin)
    try refuseForeign(row, path, owner)
    guard let text else {
      throw ShareEngineError(.settingNotScalar, ["path": path, "setting": key])
    }
    return Entry(row: row, text: text, origin: origin)
  }

  static func refuseForeign(_ row: SettingRow, _ path: String, _ owner: Owner) throws(ShareEngineError) {
    guard row.scope > owner.scope else { return }
    let text: ErrorText = owner == .project && row.scope == .user ? .settingOfUser : .settingSecret
    throw ShareEngineError(text, ["path": path, "setting": row.key, "variable": row.environmentName])
  }

  /// Dotted keys with the text of their values, `nil` for values that no setting has.
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

/// The `.bsc.toml` of the folder one works in.
enum ProjectFile {
  static let name = ".bsc.toml"

  /// The nearest one, in `folder` (absolute) or above it. Only this one counts.
  static func find(from folder: String) -> String? {
    var parts = folder.split(separator: "/", omittingEmptySubsequences: true)
    while true {
      let path = "/" + (parts + [Substring(name)]).joined(separator: "/")
      if FileManager.default.fileExists(atPath: path) { return path }
      if parts.popLast() == nil { return nil }
    }
  }
}
