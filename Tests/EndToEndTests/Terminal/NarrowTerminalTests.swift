import Foundation
import TestSupport
import Testing

@testable import bsc

extension EndToEnd {
  /// Commands wrap their output at words on narrow terminals.
  @Suite(.enabled(if: Tmux.isAvailable)) struct NarrowTerminalTests {
    @Test func wordsAreNotSplit() async throws {
      let home = try BSCHome()
      for name in ["rally-portrait", "too-short"] { _ = try home.clip(name) }
      let commands = [
        "share rally-portrait.mp4 --no-wait --caption 'one two three four five six seven eight nine ten eleven twelve'",
        "share too-short.mp4", "share no/such/clip.mp4", "share rally-portrait.mp4 --limit-rate banana", "jobs --all",
        "jobs show zzzz", "highlights list", "plan rally-portrait.mp4", "share -n rally-portrait.mp4",
        "audit rally-portrait.mp4", "strip -n rally-portrait.mp4", "probe rally-portrait.mp4", "config show",
        "validate rally-portrait.mp4", "validate --explain clip.nal-units", "validate --list-rules", "doctor",
      ]
      let columns = 60
      let terminal = try Tmux(
        commands.map { "echo \"= \($0.prefix(40))\"; bsc \($0)" }.joined(separator: "; "), in: home, columns: columns,
        rows: 50)
      _ = try await terminal.end()
      // Lines that the terminal wrapped are joined here.
      let lines = try terminal.everything().split(separator: "\n")
      let outputs = lines.split { $0.hasPrefix("= ") }
      #expect(outputs.count == commands.count && lines.contains { $0.hasPrefix("             ") })
      for line in lines where TextColumns.count(line) > columns {
        // Commands must stay on one line, and long words can exceed the space after a label.
        let words = line.split(separator: " ")
        let longest = words.map { TextColumns.count($0) }.max() ?? 0
        let isCommand = line.trimmingCharacters(in: .whitespaces).hasPrefix("bsc ")
        #expect(longest > columns - 14 || words.count == 1 || isCommand, "\(line)")
      }
    }
  }
}
