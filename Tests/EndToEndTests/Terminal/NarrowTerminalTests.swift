import Foundation
import TestSupport
import Testing

@testable import bsc

extension EndToEnd {
  /// On a narrow terminal no command lets the terminal cut its words.
  @Suite(.enabled(if: Tmux.isAvailable)) struct NarrowTerminalTests {
    @Test func wordsStayWhole() async throws {
      let home = try BSCHome()
      for name in ["rally-portrait", "too-short"] { _ = try home.clip(name) }
      let commands = [
        "share rally-portrait.mp4 --no-wait --caption 'one two three four five six seven eight nine'",
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
      // What the terminal broke stands here on one line.
      let lines = try terminal.everything().split(separator: "\n")
      let told = lines.split { $0.hasPrefix("= ") }
      #expect(told.count == commands.count && lines.contains { $0.hasPrefix("             ") })
      for line in lines where TextColumns.count(line) > columns {
        // Commands are copied, and what is too long for the rest of a line beside its label has no better place.
        let words = line.split(separator: " ")
        let longest = words.map { TextColumns.count($0) }.max() ?? 0
        let isCommand = line.trimmingCharacters(in: .whitespaces).hasPrefix("bsc ")
        #expect(longest > columns - 14 || words.count == 1 || isCommand, "\(line)")
      }
    }
  }
}
