import ClipModel
import DurableFiles
import Foundation

/// Changes one setting in the user's file and keeps everything else: comments, order and blank lines.
package enum SettingsEdit {
  /// - Parameter value: the new value as typed; `nil` removes the setting.
  /// - Returns: whether the file was changed.
  /// - Throws: `ShareEngineError` if the key is unknown or not allowed in a file, the value is invalid, or the file
  ///   cannot be edited automatically; `DurableFileError`.
  @discardableResult
  package static func set(_ key: String, to value: String?, places: Places) throws -> Bool {
    // Preserves a symbolic link, for example into a dotfiles folder.
    let path = URL(filePath: places.configurationFile).resolvingSymlinksInPath().path(percentEncoded: false)
    if key.hasPrefix(RuleSettingText.prefix) { throw ShareEngineError(.settingOfRules, ["path": path]) }
    let row = try SettingTable.row(key, in: .flag("bsc config"))
    try SettingsFile.checkScope(of: row, path, .user)
    if let value {
      var trial = Configuration()
      try row.assign(&trial, value, .flag("bsc config set"))
    }
    let old = try DurableFile.readIfPresent(path, limit: SettingsFile.byteLimit).map {
      String(decoding: $0, as: UTF8.self)
    }
    let before = try texts(of: old ?? "", path)
    let new = edited(old ?? "", key, value.map(literal))
    guard new != old ?? "" else { return false }
    // Parses the result again to make sure that only this setting has changed.
    var expected = before
    expected[key] = value
    guard let after = try? texts(of: new, path), after == expected else {
      throw ShareEngineError(.settingNotEditable, ["path": path, "setting": key])
    }
    try Folder.create(FilePathParts.folder(of: path))
    // The file can contain a secret, such as a project's key.
    try DurableFile.write(new.utf8, to: path, permissions: 0o600)
    return true
  }

  private static func texts(of text: String, _ path: String) throws -> [String: String] {
    var rules = RuleSettings()
    let contents = try SettingsFile.contents(of: text, path: path, as: .user, rules: &rules)
    try InvalidSettingsError.throwIfAny(contents.problems)
    return Dictionary(contents.entries.map { ($0.row.key, $0.text) }) { first, _ in first }
  }

  /// The value as a TOML literal.
  private static func literal(_ value: String) -> String {
    if value == "true" || value == "false" || value.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?/) != nil {
      return value
    }
    let escapes = [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\t", "\\t")]
    return "\"" + escapes.reduce(value) { $0.replacing($1.0, with: $1.1) } + "\""
  }

  /// Replaces or removes the line of the key, or inserts a line: into the key's table, or before all tables.
  private static func edited(_ text: String, _ key: String, _ literal: String?) -> String {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    var table = ""
    var firstTable: Int?
    var ends: [String: Int] = [:]
    for (index, line) in lines.enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.hasPrefix("[") {
        let match = trimmed.wholeMatch(of: /\[([A-Za-z0-9_.\- ]+)\]\s*(#.*)?/)
        // Keys in a table with a different kind of header never match.
        table = match.map { $0.1.replacing(" ", with: "") + "." } ?? "\u{0}"
        firstTable = firstTable ?? index
      }
      if !trimmed.isEmpty, !trimmed.hasPrefix("#") { ends[table] = index }
      guard let match = trimmed.prefixMatch(of: /([A-Za-z0-9_.\-]+)\s*=\s*/), table + match.1 == key else { continue }
      if let literal {
        let indentation = line.prefix { $0 == " " || $0 == "\t" }
        let comment = trimmed.contains("\"") ? nil : trimmed.firstIndex(of: "#").map { "  " + trimmed[$0...] }
        lines[index] = "\(indentation)\(match.1) = \(literal)\(comment ?? "")"
      } else {
        lines.remove(at: index)
      }
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
