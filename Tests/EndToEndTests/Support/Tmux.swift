import Foundation
import TestSupport

/// A terminal in a separate tmux server, with a private socket and without the user's settings, that runs a shell command.
final class Tmux: Sendable {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Prints a message once if tmux is not installed.
  static let isAvailable: Bool = {
    let isInstalled = program != nil
    if !isInstalled { print("SKIPPED: terminal tests require tmux (Scripts/bootstrap --tests)") }
    return isInstalled
  }()

  private static let program: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/tmux" }.first(where: FileManager.default.isExecutableFile(atPath:))

  private let socket = "bsc-test-\(UUID().uuidString.prefix(8))"
  private let environment: [String: String]
  private let server: Process

  /// - Parameter command: a shell command, which runs in the folder of `home` with the built program as `bsc`. `END` and
  ///   its exit status follow its output.
  init(_ command: String, in home: BSCHome, columns: Int, rows: Int, _ changes: [String: String] = [:]) throws {
    var environment = home.environment
    for name in ["TMUX", "TMUX_TMPDIR", "LC_ALL", "LC_CTYPE", "NO_COLOR", "CLICOLOR_FORCE", "COLORTERM"] {
      environment[name] = nil
    }
    environment["TERM"] = "xterm-256color"
    environment["LANG"] = "C.UTF-8"
    self.environment = environment
    let folder = (try BuiltProgram.path() as NSString).deletingLastPathComponent
    // These variables are not set for tmux itself, which always draws in UTF-8.
    let exports = changes.map { "export \($0.key)='\($0.value)'; " }.sorted().joined()
    let setup = "cd '\(home.folder.path)'; export PATH='\(folder)':\"$PATH\"; \(exports)"
    // The shell kills tmux, its parent, after some time, in case the test is killed. The loop's list is computed before the
    // command, because a late Ctrl-C would end `seq`.
    let ending = "echo END $?; for i in $laps; do sleep 1; done; kill -9 $PPID"
    // A daemon would keep inherited file descriptors open.
    server = Self.process(["-u", "-D", "-L", socket, "-f", "/dev/null"], environment)
    try server.run()
    for attempt in 0... {
      do {
        try run("set", "-g", "status", "off")
        break
      } catch  where attempt < 6000 {
        // Its socket does not exist yet.
        usleep(10_000)
      }
    }
    try run(
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", "-c",
      "trap : INT; laps=$(seq 150); \(setup)\(command); \(ending)")
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
    // Its panes must end first, because its reaction to signals depends on its parent process.
    _ = try? run("kill-server")
    kill(server.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(atPath: "/tmp/tmux-\(getuid())/\(socket)")
  }

  /// - Parameter colors: includes the escape sequences of colors.
  func screen(colors: Bool = false) throws -> String {
    try run(colors ? ["capture-pane", "-p", "-e"] : ["capture-pane", "-p"])
  }

  /// The screen with its scrollback, and with wrapped lines joined.
  func everything() throws -> String { try run("capture-pane", "-p", "-J", "-S", "-") }

  func resize(columns: Int, rows: Int) throws { try run("resize-window", "-x", "\(columns)", "-y", "\(rows)") }

  /// Sends keys at the same time.
  func press(_ keys: String...) throws { _ = try run(["send-keys"] + keys) }

  /// Waits until the screen meets a condition, and returns it.
  @discardableResult
  func wait(_ what: String, until holds: (String) throws -> Bool) async throws -> String {
    var seen = ""
    let isSeen = try await TestTimeout.wait {
      seen = try screen()
      return try holds(seen)
    }
    if isSeen { return seen }
    throw Failure(description: "never seen: \(what)\n\(seen)")
  }

  /// The screen after the command has ended.
  func end(colors: Bool = false) async throws -> String {
    let screen = try await wait("the end") { $0.contains(/(^|\n)END \d+/) }
    return colors ? try self.screen(colors: true) : screen
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
