import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

/// Options of all commands that print something.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the result as JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only errors, and no progress or notes.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print details, changed settings and each HTTP request.")
  var verbose = false

  @Option(help: "Progress on stderr: auto, bar, plain, json or none.")
  var progress: ProgressStyle = .auto

  @Option(help: "Colors: auto (on a terminal, unless NO_COLOR is set), always or never.")
  var color: ColorChoice = .auto

  mutating func validate() throws {
    if verbose { Verbosity.enable() }
  }

  /// Prints a result as JSON, or as text unless `--quiet` is set.
  func write(_ document: some Encodable, text: @autoclosure () -> StyledText) {
    if json { Console.writeJSON(document) } else if !quiet { Console.write(text()) }
  }

  /// Prints a note on stderr unless `--quiet` is set.
  func note(_ text: String) {
    if !quiet { Console.note(text) }
  }

  /// Prints a human-readable line on stderr, unless `--quiet` or `--json` is set.
  func remark(_ text: String) {
    if !quiet, !json { Console.writeError(text + "\n") }
  }

  /// Prints the notes of a session, for commands without progress.
  var notes: @Sendable (ShareActivity) -> Void {
    { [self] activity in
      if case .note(let text) = activity { note(text) }
    }
  }

  var progressMode: ProgressMode {
    // Log lines would break up the lines that are redrawn.
    ProgressMode(
      verbose && progress == .auto && !quiet ? .plain : progress, isQuiet: quiet, isTerminal: Console.isErrorTerminal,
      environment: ProcessInfo.processInfo.environment)
  }
}

enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  case auto, bar, plain, json, none
}

extension EngineEnvironment {
  /// Reads the settings. Options on the command line override all other sources.
  init(flags: [FlagValue] = []) throws {
    let variables = ProcessInfo.processInfo.environment
    let places = try Places(environment: variables)
    let configuration = try Configuration(
      flags: flags, environment: variables, workingFolder: FileManager.default.currentDirectoryPath, places: places)
    self.init(places: places, configuration: configuration, variables: variables) {
      EmbeddedBackend(folder: $0.localBackendFolder, port: $1.localPort.value)
    }
    wrapTransport = { Verbosity.isOn ? LoggingTransport(transport: $0) : $0 }
    notice = { Console.note($0) }
    if Verbosity.isOn { Verbosity.log(configuration) }
  }
}
