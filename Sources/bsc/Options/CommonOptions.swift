import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

/// Flags of every command that reports.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the result as JSON on stdout.")
  var json = false

  @Flag(name: .shortAndLong, help: "No progress and no notes: the result, and what went wrong.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Tell which settings are not the defaults, and each request with its answer.")
  var verbose = false

  @Option(help: "How progress is shown on stderr: auto, bar, plain, json or none.")
  var progress: ProgressStyle = .auto

  @Option(help: "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
  var color: ColorChoice = .auto

  mutating func validate() throws {
    if verbose { Verbosity.begin() }
  }

  /// Shows the notes of commands that draw no progress.
  var notes: @Sendable (ShareActivity) -> Void {
    { [quiet] activity in
      if !quiet, case .note(let text) = activity { Console.note(text) }
    }
  }

  var progressMode: ProgressMode {
    // Lines that are told would tear those that move.
    ProgressMode(
      verbose && progress == .auto && !quiet ? .plain : progress, isQuiet: quiet, isTerminal: Console.isErrorTerminal,
      environment: ProcessInfo.processInfo.environment)
  }
}

enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  case auto, bar, plain, json, none
}

extension EngineEnvironment {
  /// Reads the settings once; flags come first.
  init(flags: [FlagValue] = []) throws {
    let variables = ProcessInfo.processInfo.environment
    let places = try Places(environment: variables)
    let configuration = try Configuration(
      flags: flags, environment: variables, workingFolder: FileManager.default.currentDirectoryPath, places: places)
    self.init(places: places, configuration: configuration, variables: variables) {
      EmbeddedBackend(folder: $0.localBackendFolder, port: $1.localPort.value)
    }
    wrapTransport = { Verbosity.isOn ? ReportedTransport(transport: $0) : $0 }
    notice = { Console.note($0) }
    if Verbosity.isOn { Verbosity.tell(configuration) }
  }
}
