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

  /// What commands tell whose progress nobody draws.
  var notice: @Sendable (String) -> Void {
    { [quiet] text in
      if !quiet { Console.note(text) }
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

/// What every command needs to know of the world around it, read once.
struct CommandEnvironment {
  var places: Places
  var configuration: Configuration

  init(flags: [FlagValue] = []) throws {
    let environment = ProcessInfo.processInfo.environment
    places = try Places(environment: environment)
    configuration = try Configuration(
      flags: flags, environment: environment, workingFolder: FileManager.default.currentDirectoryPath, places: places)
    if Verbosity.isOn { Verbosity.tell(configuration) }
  }
}

/// Absolute, with `.` and `..` worked out; symbolic links stay.
func absolutePath(_ path: String) -> String {
  URL(filePath: path, relativeTo: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    .standardizedFileURL.path(percentEncoded: false)
}

/// As people would write it here: without what leads to the current folder, where it lies in that.
func shownPath(_ path: String) -> String {
  let here = FileManager.default.currentDirectoryPath
  guard here != "/", path.hasPrefix(here + "/"), path.count > here.count + 1 else { return path }
  return String(path.dropFirst(here.count + 1))
}

/// Absolute, with every symbolic link on the way followed as the system does it, and no slash at the end. What does not
/// exist keeps its own name.
func realPath(_ path: String) -> String {
  if let found = unsafe realpath(path, nil) {
    defer { unsafe free(found) }
    return unsafe String(cString: found)
  }
  let folder = FilePathParts.folder(of: path)
  guard folder != path, let last = path.split(separator: "/").last else { return absolutePath(path) }
  return realPath(folder) + "/" + last
}
