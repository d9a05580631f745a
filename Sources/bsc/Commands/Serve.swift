import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import LibCurl
import LocalBackend
import ShareEngine

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the local backend and its pages: see what was shared in a browser.",
    discussion: """
      EXAMPLES:
        bsc serve
        bsc serve --open            and open the newest highlights in the browser,
                                    as the owner of this server
        bsc serve --open 3f2a       and open this one
        bsc serve --report out/     and show what a batch has made
        bsc serve --host 0.0.0.0 --token-file token.txt
                                    for other machines of a network that you trust

      Listens on this machine only, unless --host names an address: then every
      request needs the token of --token-file or BSC_SERVE_TOKEN, and nothing is
      encrypted. Other programs find their keys in keys.json of the data folder,
      which --json tells. Ctrl-C ends it; everything stays.

      PAGES:
        /            what was shared, to watch, like and talk about; ? tells the keys
        /u/NAME      somebody and their highlights; /tags/TAG those with a tag
        /uploads     what is on its way from this machine (bsc jobs), as it goes on
        /batches     the reports of --report

      Everybody reads what is public. To like, comment or follow one signs in with
      an account of this server; until somebody has signed up all are the local
      user. --open makes the browser the owner's: its address is good once, for
      five minutes, and works for a server that runs already, too.
      """)

  @Option(help: "Port; another free one is taken when it is in use, and with 0. (default: 7437)")
  var port: String?

  @Option(help: "Address to listen on besides this machine's own use; needs a token.")
  var host: String?

  @Option(
    help: ArgumentHelp(
      "File with the token, 16 characters or more; others must not be able to read it.", valueName: "file"))
  var tokenFile: String?

  @Flag(help: "Open the page in the browser; a highlight's id may follow.")
  var open = false

  @Argument(help: ArgumentHelp("Highlight to open.", visibility: .default))
  var id: String?

  @Flag(
    help: ArgumentHelp("Open uploads as Google Cloud Storage does, for tests of the endpoint.", visibility: .hidden))
  var uploadSessions = false

  @Option(help: ArgumentHelp("The cost of passwords, for tests.", visibility: .hidden))
  var passwordRounds = LocalServerConfiguration.defaultPasswordRounds

  @Option(
    help: ArgumentHelp(
      "Tell what happens to uploads and assets to this URL of this machine, as Mux does; may be given again. "
        + "Signed with BSC_MUX_WEBHOOK_SECRET, or with the key in keys.json.", valueName: "url"))
  var webhook: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show this report of a batch (jsonl, or a folder of results) at /batches; may be given again.", valueName: "path")
  )
  var report: [String] = []

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    guard passwordRounds.nonzeroBitCount == 1, (1 << 4...1 << 20).contains(passwordRounds) else {
      throw ValidationError("--password-rounds is a power of 2.")
    }
    for text in webhook where WebhookAddress.url(text) == nil {
      throw ValidationError("--webhook takes an http or https URL of this machine (127.0.0.1 or localhost).")
    }
  }

  func run() async throws {
    let flags = port.map { [FlagValue(key: "local.port", flag: "--port", text: $0)] } ?? []
    // Whatever backend clips are shared to: this one is meant here.
    let local = FlagValue(key: "backend", flag: "bsc serve", text: BackendKind.local.rawValue)
    let surroundings = try EngineEnvironment(flags: flags + [local])
    let folder = surroundings.places.localBackendFolder
    if let running = LocalServer.running(in: folder) {
      try requireNothingOfItsOwn(running)
      announce(running, try await page(surroundings), folder, isRunning: true)
      return
    }
    var configuration = LocalServerConfiguration(
      dataFolder: folder, port: .preferably(surroundings.configuration.localPort.value), assetMaker: .clipMedia)
    configuration.opensSessions = uploadSessions
    configuration.passwordRounds = passwordRounds
    configuration.openTo = try openAddress()
    configuration.webhooks = webhook.compactMap(WebhookAddress.url)
    configuration.webhookSecret = ProcessInfo.processInfo.environment["BSC_MUX_WEBHOOK_SECRET"].flatMap {
      $0.isEmpty ? nil : $0
    }
    configuration.reports = try report.map { try ServedReports(path: $0).served }
    configuration.uploads = ServedUploads(places: surroundings.places).list
    let server = try await LocalServer.start(configuration)
    let wanted = surroundings.configuration.localPort.value
    if wanted != 0, server.port != wanted, !output.quiet {
      Console.note("port \(wanted) is taken by another program; this is a free one")
    }
    do {
      announce(server.address, try await page(surroundings), folder, isRunning: false)
    } catch {
      await server.stop()
      throw error
    }
    await withTaskCancellationHandler {
      await server.waitUntilStopped()
    } onCancel: {
      Task { await server.stop() }
    }
  }

  /// What is said of a server that is to start counts for none that runs.
  private func requireNothingOfItsOwn(_ running: ServerAddress) throws {
    let isElsewhere = port.map { Int($0) != running.baseURL.port && $0 != "0" } ?? false
    let given = [
      isElsewhere ? "--port" : nil, host == nil ? nil : "--host", tokenFile == nil ? nil : "--token-file",
      webhook.isEmpty ? nil : "--webhook", report.isEmpty ? nil : "--report",
    ].compactMap(\.self)
    guard !given.isEmpty else { return }
    throw CommandFailure(
      .alreadyServing, ["options": given.joined(separator: " and "), "url": running.baseURL.absoluteString])
  }

  /// Of the highlight that was named, once there is a server to ask; `nil` without one.
  /// - Throws: `NoSuchHighlight`.
  private func page(_ surroundings: EngineEnvironment) async throws -> String? {
    guard let id else { return nil }
    let transport = try surroundings.transport()
    let finder = HighlightFinder(api: try BackendConnection(surroundings, transport: transport).backend)
    return try await "h/\(finder.find(id).id.uuidString.lowercased())"
  }

  /// The fewest characters that nobody guesses.
  private static let shortestToken = 16

  private func openAddress() throws -> LocalServerConfiguration.OpenAddress? {
    guard let host else {
      guard tokenFile == nil else {
        throw CommandFailure(.tokenWithoutHost)
      }
      return nil
    }
    let text: String
    if let tokenFile {
      guard let bytes = try PrivateFile.read(absolutePath(tokenFile), limit: 4096, isInPrivateFolder: false) else {
        throw CommandFailure(.noTokenFile, ["path": tokenFile])
      }
      text = String(decoding: bytes, as: UTF8.self)
    } else {
      text = ProcessInfo.processInfo.environment["BSC_SERVE_TOKEN"] ?? ""
    }
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard token.count >= Self.shortestToken,
      token.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    else {
      throw CommandFailure(
        token.isEmpty ? .noToken : .weakToken, ["host": host, "length": "\(Self.shortestToken)"])
    }
    return LocalServerConfiguration.OpenAddress(host: host, token: token)
  }

  /// - Parameters:
  ///   - path: of a page in place of the first one.
  ///   - isRunning: another process runs it.
  private func announce(_ server: ServerAddress, _ path: String?, _ folder: String, isRunning: Bool) {
    let base = server.baseURL
    let page = path.map { base.appending(path: $0) } ?? base
    let entrance = open ? server.entrance(to: page.path.isEmpty ? "/" : page.path).absoluteString : nil
    if output.json {
      Console.writeJSON(
        ServeDocument(
          baseURL: base.absoluteString, pageURL: page.absoluteString, entranceURL: entrance, dataFolder: folder))
    } else {
      Console.write("\(page.absoluteString)\n")
      if !output.quiet {
        let token = server.asksForToken ? ", with ?token=… behind it" : ""
        let others = host == "0.0.0.0" || host == "::" ? LocalServer.networkAddresses : []
        if let port = base.port, !others.isEmpty {
          let addresses = others.map { "http://\($0):\(port)" }.joined(separator: " or ")
          Console.writeError("Other machines find it at \(addresses)\n")
        }
        let end =
          isRunning
          ? "This server runs already, with the data in \(folder); Ctrl-C ends it where it runs."
          : "Ctrl-C ends the server."
        Console.writeError(
          "Open this address in a browser\(token). \(end)\n")
      }
    }
    guard let entrance, !Browser.open(entrance), !output.json else { return }
    Console.writeError("There is no browser to open here. As the owner, once and within five minutes:\n\(entrance)\n")
  }
}

private struct ServeDocument: Encodable {
  var schema = "bsc.serve/1"
  var baseURL: String
  var pageURL: String
  /// With `--open`: makes the browser that opens it first the owner's, for five minutes.
  var entranceURL: String?
  /// Holds `keys.json`.
  var dataFolder: String
}

/// The person's browser.
enum Browser {
  /// - Returns: whether there is one.
  @discardableResult
  static func open(_ address: String) -> Bool {
    #if canImport(Darwin)
      let opener = "/usr/bin/open"
    #else
      let opener = "/usr/bin/xdg-open"
    #endif
    guard FileManager.default.isExecutableFile(atPath: opener) else { return false }
    #if !canImport(Darwin)
      // It starts without a display, too, and fails behind our back.
      let environment = ProcessInfo.processInfo.environment
      guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(environment[$0] ?? "").isEmpty }) else { return false }
    #endif
    let process = Process()
    process.executableURL = URL(filePath: opener)
    process.arguments = [address]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.run()) != nil
  }
}
