import ArgumentParser
import Foundation
import Reports
import ShareEngine

struct Config: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show and change settings",
    subcommands: [Show.self, Set.self, Unset.self, Path.self], defaultSubcommand: Show.self)

  private static let unset = "(not set)"

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show all settings with their values and origins")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let entries = try EngineEnvironment().configuration.entries
      let width = max(22, (entries.map(\.key.count).max() ?? 0) + 1)
      // Long paths and URLs don't widen the value column.
      let valueWidth = (entries.map { TextColumns.count($0.value ?? unset) }.filter { $0 <= 32 }.max() ?? 0) + 2
      for entry in entries {
        guard !output.json else {
          Console.writeJSON(entry)
          continue
        }
        let variable = entry.environment.map { "; \($0)" } ?? ""
        let isDefault = entry.origin == "default"
        Console.write(
          "\(entry.key.padded(width))\((entry.value ?? unset).padded(valueWidth), isDefault ? nil : .strong) "
            + "\(entry.origin.padded(10))  \("# \(entry.summary)\(variable)", .faint)\n" as StyledText)
      }
    }
  }

  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change a setting in your settings file",
      discussion: """
        EXAMPLES:
          bsc config set quality 23
          bsc config set backend supabase
          bsc config set supabase.url https://abc.supabase.co

        To set tokens and passwords, use the environment variables that "bsc config show" lists.
        """)

    @Argument(help: "Name of the setting.", completion: Completions.settings)
    var key: String

    @Argument(help: "New value for the setting.", completion: Completions.settingValues)
    var value: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws { try Config.changeSetting(key, to: value, output) }
  }

  struct Unset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unset", abstract: "Remove a setting from your settings file",
      discussion: """
        EXAMPLES:
          bsc config unset quality
        """)

    @Argument(help: "Name of the setting.", completion: Completions.settings)
    var key: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws { try Config.changeSetting(key, to: nil, output) }
  }

  /// Changes the settings file and prints the setting's effective value, which may come from a different source.
  private static func changeSetting(_ key: String, to value: String?, _ output: OutputOptions) throws {
    let places = try ApplicationFolders(environment: ProcessInfo.processInfo.environment)
    try SettingsEdit.setValue(
      key, to: value, from: .flag(value == nil ? "bsc config unset" : "bsc config set"), places: places)
    guard let entry = try EngineEnvironment().configuration.entries.first(where: { $0.key == key }) else { return }
    output.write(entry, text: "\(key) = \(entry.value ?? unset)  (\(entry.origin))\n")
    if !output.json, value != nil, ![places.configurationFile, "default"].contains(entry.origin) {
      output.writeNote("\(entry.origin) overrides the value in your settings file")
    }
  }

  struct Path: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "path", abstract: "Print the path of your settings file")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      // Doesn't read the settings, so that the command works even if they are invalid.
      let path = try ApplicationFolders(environment: ProcessInfo.processInfo.environment).configurationFile
      if output.json { Console.writeJSON(["path": path]) } else { Console.writeRawText((path + "\n").printable) }
    }
  }
}
