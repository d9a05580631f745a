import ArgumentParser
import Foundation
import ShareEngine

struct Config: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the settings and where each comes from.",
    subcommands: [Show.self, Path.self], defaultSubcommand: Show.self)

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Every setting with its value and origin.")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      for entry in try Surroundings().configuration.entries {
        if output.json {
          Console.writeJSON(entry)
        } else {
          Console.write(
            "\(entry.key.padded(22))\((entry.value ?? "(not set)").padded(14))\(entry.origin.padded(10))  # \(entry.summary); \(entry.environment)\n"
          )
        }
      }
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
        Console.write(places.configurationFile + "\n")
      }
    }
  }
}
