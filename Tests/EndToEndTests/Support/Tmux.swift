import Foundation
import TestSupport

/// A real terminal: a tmux of its own, on a private socket and without anybody's settings, that runs a line of shell.
final class Tmux: Sendable {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Says so, once, where there is none.
  static let isAvailable: Bool = {
    let isThere = program != nil
    if !isThere { print("SKIPPED: the tests of terminals need tmux (Scripts/bootstrap --tests)") }
    return isThere
  }()

  private static let program: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/tmux" }.first(where: FileManager.default.isExecutableFile(atPath:))

  private let socket = "bsc-test-\(UUID().uuidString.prefix(8))"
  private let environment: [String: String]
  private let server: Process

  /// - Parameter command: for the shell; `END` and its exit status stand behind all that it writes. It runs in the home's
  ///   folder, with the built program as `bsc`.
  init(_ command: String, in home: BSCHome, columns: Int, rows: Int, _ changes: [String: String] = [:]) throws {
    var environment = home.environment
    for name in ["TMUX", "TMUX_TMPDIR", "LC_ALL", "LC_CTYPE", "NO_COLOR", "CLICOLOR_FORCE", "COLORTERM"] {
      environment[name] = nil
    }
    environment["TERM"] = "xterm-256color"
    environment["LANG"] = "C.UTF-8"
    self.environment = environment
    let folder = (try BuiltProgram.path() as NSString).deletingLastPathComponent
    // Not what tmux itself gets: it draws in UTF-8 whatever the program is told.
    let own = changes.map { "export \($0.key)='\($0.value)'; " }.sorted().joined()
    let place = "cd '\(home.folder.path)'; export PATH='\(folder)':\"$PATH\"; \(own)"
    // Of a test that was killed nothing stays: the parent of a pane's shell is tmux. The laps are counted before: a Ctrl-C
    // that comes late would end what counts them.
    let ending = "echo END $?; for i in $laps; do sleep 1; done; kill -9 $PPID"
    // Not as a daemon, which would keep open what it inherits of us.
    server = Self.process(["-u", "-D", "-L", socket, "-f", "/dev/null"], environment)
    try server.run()
    for attempt in 0... {
      do {
        try run("set", "-g", "status", "off")
        break
      } catch  where attempt < 6000 {
        // Its socket is not there yet.
        usleep(10_000)
      }
    }
    try run(
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", "-c",
      "trap : INT; laps=$(seq 150); \(place)\(command); \(ending)")
  }

  private static func process(_ arguments: [String], _ environment: [String: String]) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program ?? "/usr/bin/tmux")
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  deinit {
    // Its panes first; what it does with signals depends on who started it.
    _ = try? run("kill-server")
    kill(server.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(atPath: "/tmp/tmux-\(getuid())/\(socket)")
  }

  /// - Parameter colours: with what makes them.
  func screen(colours: Bool = false) throws -> String {
    try run(colours ? ["capture-pane", "-p", "-e"] : ["capture-pane", "-p"])
  }

  /// With all that was pushed out at its top, and lines that the terminal broke put together again.
  func everything() throws -> String { try run("capture-pane", "-p", "-J", "-S", "-") }

  func resize(columns: Int, rows: Int) throws { try run("resize-window", "-x", "\(columns)", "-y", "\(rows)") }

  func press(_ key: String) throws { try run("send-keys", key) }

  /// Looks until it sees what it waits for, and returns that screen.
  @discardableResult
  func wait(_ what: String, until isThere: (String) throws -> Bool) async throws -> String {
    var seen = ""
    let isSeen = try await Patience.wait {
      seen = try screen()
      return try isThere(seen)
    }
    if isSeen { return seen }
    throw Failure(description: "never seen: \(what)\n\(seen)")
  }

  /// The screen when all is over.
  func end(colours: Bool = false) async throws -> String {
    let screen = try await wait("the end") { $0.contains(/(^|\n)END \d+/) }
    return colours ? try self.screen(colours: true) : screen
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> String { try run(arguments) }

  private func run(_ arguments: [String]) throws -> String {
    let process = Self.process(["-u", "-N", "-L", socket] + arguments, environment)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "tmux \(arguments.joined(separator: " ")): status \(process.terminationStatus)")
    }
    return text
  }
}
