import ClipModel
import DurableFiles
import Foundation

/// Changes one setting in the user's file, and nothing else in it: comments, order and blank lines stay.
package enum SettingsEdit {
  /// - Parameter value: as one would type it; `nil` takes the setting out.
  /// - Returns: whether the file is another one now.
  /// - Throws: `ShareEngineError` for a key that does not exist or may not stand in a file, for a wrong value, and for a
  ///   file that cannot be changed by machine; `DurableFileError`.
  @discardableResult
  package static func set(_ key: String, to value: String?, places: Places) throws -> Bool {
    // A link to a folder of dotfiles stays one.
    let path = URL(filePath: places.configurationFile).resolvingSymlinksInPath().path(percentEncoded: false)
    if key.hasPrefix(RuleSettingText.prefix) {
      throw ShareEngineError(.settingOfRules, ["path": path])
    }
    let row = try SettingTable.row(key, in: .flag("bsc config"))
    try SettingsFile.refuseForeign(row, path, .user)
    if let value {
      var trial = Configuration()
      try row.assign(&trial, value, .flag("bsc config set"))
    }
    let old = try DurableFile.readIfPresent(path, limit: SettingsFile.longestFile).map {
      String(decoding: $0, as: UTF8.self)
    }
    let before = try texts(of: old ?? "", path)
    let new = edited(old ?? "", key, value.map(literal))
    guard new != old ?? "" else { return false }
    // What was written is read again: only this setting may be another one.
    var wanted = before
    wanted[key] = value
    guard let after = try? texts(of: new, path), after == wanted else {
      throw ShareEngineError(.settingNotEditable, ["path": path, "setting": key])
    }
    try Folder.create(FilePathParts.folder(of: path))
    // It may hold a project's key.
    try DurableFile.write(Data(new.utf8), to: path, permissions: 0o600)
    return true
  }

  private static func texts(of text: String, _ path: String) throws -> [String: String] {
    var rules = RuleSettings()
    let contents = try SettingsFile.contents(of: text, path: path, as: .user, rules: &rules)
    try SettingProblems.end(with: contents.problems)
    return Dictionary(contents.entries.map { ($0.row.key, $0.text) }) { first, _ in first }
  }

  /// TOML's form of a value.
  private static func literal(_ value: String) -> String {
    if value == "true" || value == "false" || value.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?/) != nil {
      return value
    }
    let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      .replacing("\t", with: "\\t")
    return "\"\(escaped)\""
  }

  /// The text with the line of the key replaced, taken out, or put where it belongs: into its table, or before all
  /// tables.
  private static func edited(_ text: String, _ key: String, _ literal: String?) -> String {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    var table = ""
    var firstTable: Int?
    var ends: [String: Int] = [:]
    for (index, line) in lines.enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let match = trimmed.wholeMatch(of: /\[([A-Za-z0-9_.\- ]+)\]\s*(#.*)?/) {
        table = match.1.replacing(" ", with: "") + "."
        firstTable = firstTable ?? index
        ends[table] = index
        continue
      }
      if trimmed.hasPrefix("[") {
        table = "\u{0}"
        firstTable = firstTable ?? index
      }
      if !trimmed.isEmpty, !trimmed.hasPrefix("#") { ends[table] = index }
      guard let match = trimmed.prefixMatch(of: /([A-Za-z0-9_.\-]+)\s*=\s*/), table + match.1 == key else { continue }
      guard let literal else {
        lines.remove(at: index)
        return joined(lines)
      }
      let indentation = line.prefix { $0 == " " || $0 == "\t" }
      let comment = trimmed.contains("\"") ? nil : trimmed.firstIndex(of: "#").map { "  " + trimmed[$0...] }
      lines[index] = "\(indentation)\(match.1) = \(literal)\(comment ?? "")"
      return joined(lines)
    }
    guard let literal else { return text }
    let parts = key.split(separator: ".", maxSplits: 1)
    if parts.count == 2, let end = ends[parts[0] + "."] {
      lines.insert("\(parts[1]) = \(literal)", at: end + 1)
    } else if let firstTable {
      lines.insert(contentsOf: ["\(key) = \(literal)", ""], at: firstTable)
    } else {
      lines.append("\(key) = \(literal)")
    }
    return joined(lines)
  }

  private static func joined(_ lines: [String]) -> String { lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n" }
}
