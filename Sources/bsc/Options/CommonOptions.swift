import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine

/// Output options for all commands that print results.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the result as JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only errors; hide progress and notes.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print details, non-default settings and all HTTP requests.")
  var verbose = false

  @Option(help: "Progress style on stderr: auto, bar, plain, json or none.")
  var progress: ProgressStyle = .auto

  @Option(help: "When to use colors: auto (on a terminal, unless NO_COLOR is set), always or never.")
  var color: ColorChoice = .auto

  mutating func validate() throws {
    if verbose { Verbosity.enable() }
  }

  /// Prints a result as JSON with `--json`; otherwise as text, unless `--quiet` is set.
  func write(_ document: some Encodable, text: @autoclosure () -> StyledText) {
    if json { Console.writeJSON(document) } else if !quiet { Console.write(text()) }
  }

  /// Prints an entry: a line of JSON with `--json`, otherwise lines of text.
  func writeEntry(_ document: some Encodable, text: [StyledText]) {
    if json { Console.writeJSON(document) } else { Console.write(text.lines) }
  }

  /// Prints the entries of a list.
  /// - Parameters:
  ///   - remark: a line for an empty list.
  ///   - format: returns an entry's document and its line of text.
  func writeList<Entry, Document: Encodable>(
    _ entries: [Entry], none remark: String? = nil, _ format: (Entry) -> (document: Document, text: StyledText)
  ) {
    for entry in entries {
      let (document, text) = format(entry)
      writeEntry(document, text: [text])
    }
    if entries.isEmpty, let remark { writeRemark(remark) }
  }

  /// Prints a note on stderr unless `--quiet` is set.
  func writeNote(_ text: String) {
    if !quiet { Console.writeNote(text) }
  }

  /// Prints a human-readable line on stderr, unless `--quiet` or `--json` is set.
  func writeRemark(_ text: String) {
    if !quiet, !json { Console.writeError(text + "\n") }
  }

  /// Prints a session's notes, for commands that show no progress.
  var notes: @Sendable (ShareActivity) -> Void {
    { [self] activity in
      if case .note(let text) = activity { writeNote(text) }
    }
  }

  var progressMode: ProgressMode {
    // Verbose log lines would interrupt the progress lines, which are redrawn in place.
    ProgressMode(
      verbose && progress == .auto && !quiet ? .plain : progress, isQuiet: quiet, isTerminal: Console.isErrorTerminal,
      environment: ProcessInfo.processInfo.environment)
  }
}

enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  case auto, bar, plain, json, none
}

extension EngineEnvironment {
  /// Reads the settings. Command-line options override all other sources.
  init(flags: [FlagValue] = []) throws {
    let variables = ProcessInfo.processInfo.environment
    let places = try ApplicationFolders(environment: variables)
    let configuration = try Configuration(
      flags: flags, environment: variables, workingFolder: FileManager.default.currentDirectoryPath, places: places)
    self.init(places: places, configuration: configuration, variables: variables) {
      EmbeddedBackend(folder: $0.localBackendFolder, port: $1.localPort.value)
    }
    wrapTransport = { Verbosity.isOn ? LoggingTransport(transport: $0) : $0 }
    notice = { Console.writeNote($0) }
    if Verbosity.isOn { Verbosity.log(configuration) }
  }
}
