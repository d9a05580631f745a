import ClipModel
import DurableFiles
import Foundation

/// Changes a single setting in the user's settings file and preserves comments, order and blank lines.
package enum SettingsEdit {
  /// - Parameters:
  ///   - value: the new value as the user typed it, or `nil` to remove the setting.
  ///   - origin: where the user typed it, for error messages.
  /// - Returns: whether the file was changed.
  /// - Throws: `ShareEngineError` if the key is unknown or not allowed in a file, if the value is invalid, or if the
  ///   file cannot be edited automatically. `DurableFileError` if the file cannot be read or written.
  @discardableResult
  package static func setValue(_ key: String, to value: String?, from origin: SettingOrigin, places: ApplicationFolders)
    throws -> Bool
  {
    // Resolve a symbolic link, for example to a dotfiles folder, so that the edit preserves the link.
    let path = URL(filePath: places.configurationFile).resolvingSymlinksInPath().path(percentEncoded: false)
    if key.hasPrefix(RuleSettingText.prefix) { throw ShareEngineError(.settingOfRules, ["path": path]) }
    let row = try SettingTable.findRow(key, in: origin)
    try SettingsFile.requireAllowedScope(of: row, path, .user)
    if let value {
      var trial = Configuration()
      try row.assign(&trial, value, origin)
    }
    let old = try DurableFile.readIfPresent(path, limit: SettingsFile.byteLimit).map {
      String(decoding: $0, as: UTF8.self)
    }
    let before = try parseValues(of: old ?? "", path)
    let new = editLines(of: old ?? "", key, value.map(tomlLiteral))
    guard new != old ?? "" else { return false }
    // Parse the result again to ensure that only this setting has changed.
    var expected = before
    expected[key] = value
    guard let after = try? parseValues(of: new, path), after == expected else {
      throw ShareEngineError(.settingNotEditable, ["path": path, "setting": key])
    }
    try Folder.create(FilePathParts.folder(of: path))
    // The settings file can contain a secret, such as a project's key.
    try DurableFile.write(new.utf8, to: path, permissions: 0o600)
    return true
  }

  private static func parseValues(of text: String, _ path: String) throws -> [String: String] {
    var rules = RuleSettings()
    let contents = try SettingsFile.parseContents(of: text, path: path, as: .user, rules: &rules)
    try InvalidSettingsError.throwIfNotEmpty(contents.problems)
    return Dictionary(contents.entries.map { ($0.row.key, $0.text) }) { first, _ in first }
  }

  /// Returns the value as a TOML literal.
  private static func tomlLiteral(_ value: String) -> String {
    if value == "true" || value == "false" || value.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?/) != nil {
      return value
    }
    let escapes = [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\t", "\\t")]
    return "\"" + escapes.reduce(value) { $0.replacing($1.0, with: $1.1) } + "\""
  }

  /// Replaces or removes the line that contains the key. If there is no such line, inserts a line in the key's table or
  /// before all tables.
  private static func editLines(of text: String, _ key: String, _ literal: String?) -> String {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    var table = ""
    var firstTable: Int?
    var ends: [String: Int] = [:]
    for (index, line) in lines.enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if trimmed.hasPrefix("[") {
        let match = trimmed.wholeMatch(of: /\[([A-Za-z0-9_.\- ]+)\]\s*(#.*)?/)
        // Keys in tables with other header formats never match.
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
      return joinLines(lines)
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
    return joinLines(lines)
  }

  private static func joinLines(_ lines: [String]) -> String {
    lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }
}
