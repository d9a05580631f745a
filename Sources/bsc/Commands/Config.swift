import ArgumentParser
import Foundation
import Reports
import ShareEngine

struct Config: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the settings and where each comes from.",
    subcommands: [Show.self, Set.self, Unset.self, Path.self], defaultSubcommand: Show.self)

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Every setting with its value and origin.")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let entries = try EngineEnvironment().configuration.entries
      let width = max(22, (entries.map(\.key.count).max() ?? 0) + 1)
      // A path or an address of somebody's own may be longer than its column.
      let valueWidth = (entries.map { TextColumns.count($0.value ?? "(not set)") }.filter { $0 <= 30 }.max() ?? 0) + 2
      for entry in entries {
        if output.json {
          Console.writeJSON(entry)
        } else {
          let variable = entry.environment.map { "; \($0)" } ?? ""
          let isUsual = entry.origin == "default"
          Console.write(
            "\(entry.key.padded(width))\((entry.value ?? "(not set)").padded(valueWidth), isUsual ? nil : .strong) "
              + "\(entry.origin.padded(10))  \("# \(entry.summary)\(variable)", .faint)\n" as StyledText)
        }
      }
    }
  }

  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change a setting in your file; everything else in it stays as it is.",
      discussion: """
        EXAMPLES:
          bsc config set quality 23
          bsc config set backend supabase
          bsc config set supabase.url https://abc.supabase.co

        Tokens and passwords do not go into the file: bsc config show names their variables.
        """)

    @Argument(help: "The setting's name, as bsc config show has it.", completion: Completions.settings)
    var key: String

    @Argument(help: "Its value.", completion: Completions.settingValues)
    var value: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws { try Config.change(key, to: value, output) }
  }

  struct Unset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a setting out of your file.",
      discussion: """
        EXAMPLES:
          bsc config unset quality
        """)

    @Argument(help: "The setting's name, as bsc config show has it.", completion: Completions.settings)
    var key: String

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws { try Config.change(key, to: nil, output) }
  }

  /// Says what counts by now: another place may stand before the file.
  private static func change(_ key: String, to value: String?, _ output: OutputOptions) throws {
    let places = try Places(environment: ProcessInfo.processInfo.environment)
    try SettingsEdit.set(key, to: value, places: places)
    guard let entry = try EngineEnvironment().configuration.entries.first(where: { $0.key == key }) else { return }
    if output.json { return Console.writeJSON(entry) }
    guard !output.quiet else { return }
    Console.write("\(key) = \(entry.value ?? "(not set)")  (\(entry.origin))\n")
    let isFile = entry.origin == places.configurationFile || entry.origin == "default"
    if !isFile, value != nil {
      Console.note("\(entry.origin) goes before your file, which has another value")
    }
  }

  struct Path: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Where your settings file lies.")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      // Settings that cannot be read are no reason to hide where they are.
      let places = try Places(environment: ProcessInfo.processInfo.environment)
      if output.json {
        Console.writeJSON(["path": places.configurationFile])
      } else {
        Console.writeRaw((places.configurationFile + "\n").printable)
      }
    }
  }
}
