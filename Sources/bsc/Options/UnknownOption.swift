import ArgumentParser
import ShareEngine

/// A flag that a command does not have, out of what the parser says of it: `Unknown option '--captoin'. Did you mean …`.
/// What was meant is looked for anew: the parser takes the nearest flag, however far it is, and following that can do
/// harm (`--mute` for `--out`).
struct UnknownOption {
  /// `unknown option '--captoin'`.
  let why: String
  /// The flag that was meant; `nil` when none is near.
  let meant: String?

  init?(_ message: String, _ arguments: [String], of command: any ParsableCommand.Type) {
    guard let parts = message.prefixMatch(of: /Unknown option '(-[^']*)'/) else { return nil }
    let told = String(parts.1)
    let names = Set(BSC.helpMessage(for: command).matches(of: /--[a-z0-9][a-z0-9-]*/).map { String($0.0) })
    // Of `-caption` the parser takes the first letter for a flag. What stands behind a `=` may be a secret.
    let longer = arguments.first { $0.hasPrefix(told) && $0.count > told.count + 1 && !$0.hasPrefix("--") }
      .map { String($0.prefix { $0 != "=" }) }
    let typed = told.hasPrefix("--") ? told : longer.map { "-" + $0 } ?? told
    why = "unknown option '\(typed.count > told.count ? String(typed.dropFirst()) : told)'"
    guard typed.hasPrefix("--"), typed.count > 3 else {
      meant = nil
      return
    }
    let completed = names.filter { $0.hasPrefix(typed) }
    // Few letters are near to anything.
    let letters = typed.count - 2
    let near = names.map { (distance: Spelling.distance(typed, $0), name: $0) }
      .filter { $0.distance <= max(1, letters / 3) }.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    meant = names.contains(typed) ? typed : completed.count == 1 ? completed.first : near?.name
  }
}
