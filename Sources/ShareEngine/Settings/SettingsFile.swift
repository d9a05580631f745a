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
      throw failure(path, why: "it is not UTF-8 text", next: "save it as UTF-8")
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
      throw failure(
        path, why: "line \(error.source.begin.line), column \(error.source.begin.column): \(error.description)",
        next: "correct that line, or take it out")
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
        throw failure(path, why: "\(key) is no single value", next: "write text in quotes, a number, true or false")
      }
      try RuleSettingText.apply(key, text, to: &rules, origin: origin)
      return nil
    }
    let row = try SettingTable.row(key, in: origin)
    try refuseForeign(row, path, owner)
    guard let text else {
      throw failure(
        path, why: "\(key) is neither text, number nor true/false",
        next: "write text in quotes, a number, true or false")
    }
    return Entry(row: row, text: text, origin: origin)
  }

  static func refuseForeign(_ row: SettingRow, _ path: String, _ owner: Owner) throws(ShareEngineError) {
    guard row.scope > owner.scope else { return }
    switch (owner, row.scope) {
    case (.project, .user):
      throw failure(
        path, why: "a project's file may not set \(row.key): it could send your clips to somebody else",
        next: "set it in your own settings (run \"bsc config path\"), or with \(row.environmentName)")
    default:
      throw failure(
        path, why: "\(row.key) is a secret that no file of settings may hold", next: "set \(row.environmentName)")
    }
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

  static func failure(_ path: String, why: String, next: String) -> ShareEngineError {
    ShareEngineError(what: "cannot use the settings in \(path)", why: why, next: next, category: .notConfigured)
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
