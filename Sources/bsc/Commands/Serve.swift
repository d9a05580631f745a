import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import LocalBackend
import ShareEngine

struct Serve: AsyncParsableCommand {
  #if Recruiting
  private static let recruitingPages = """

      /family          recruiting: your family and its invitations; also /coaches and /schools
      /interactions    contacts with coaches
      /social          posts of coaches; also /social/analytics
      /s/TOKEN         a highlight that was sent to a coach, without an account
    """
  #else
  private static let recruitingPages = ""
  #endif

  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the local backend and watch highlights in the browser",
    discussion: """
      EXAMPLES:
        bsc serve
        bsc serve --open            opens the browser, signed in as the owner
        bsc serve --open 3f2a       opens a highlight
        bsc serve --report out/     also shows the report of a batch
        bsc serve --host 0.0.0.0 --token-file token.txt
                                    serves other machines on a trusted network
        bsc serve --public-url https://clips.example.org
                                    creates links for a proxy with this address

      By default, the server accepts connections only from this machine. With --host, other machines can connect, and \
      every request requires the token from --token-file or BSC_SERVE_TOKEN. Connections are not encrypted. The API \
      keys are stored in keys.json in the data folder; --json prints the folder's path. To stop the server, press \
      Ctrl-C. The data is kept.

      PAGES:
        /                highlights, likes and comments; press ? for keyboard shortcuts
        /following       highlights of people whom you follow; also /discover, /for-you and /latest
        /search          people, teams, tags and captions
        /tags/TAG        highlights with a tag
        /h/ID            a highlight
        /u/NAME          an account and its highlights
        /notifications   likes, comments, mentions and requests to follow you
        /analytics       how often your highlights were watched
        /settings        your profile, blocked people, your data and your account\(recruitingPages)
        /guidelines      the rules, and how to report something
        /moderation      reports, for moderators
        /uploads         uploads from this machine, for the owner
        /batches         the reports from --report, for the owner

      Public highlights are visible to all visitors. To like, comment or follow, visitors sign in with an account on \
      this server. Until the first account is created, they act as the local user. --open signs the browser in as the \
      owner, with a link that works once, within five minutes. It also works if the server is already running.
      """)

  @Option(help: "Port number; if it is 0 or already in use, a free port is chosen. (default: 7437)")
  var port: String?

  @Option(help: "Also accept connections from other machines on this address; requires a token.")
  var host: String?

  @Option(
    help: ArgumentHelp(
      "File that contains the token (at least 16 characters); it must be readable only by you.", valueName: "file"))
  var tokenFile: String?

  @Option(
    name: .customLong("public-url"),
    help: ArgumentHelp(
      "Public address of the pages, which a proxy forwards to this server. (default: the setting share.base_url)",
      valueName: "url"))
  var publicURL: String?

  @Flag(help: "Open the list of highlights, or the specified highlight, in the browser.")
  var open = false

  @Argument(
    help: ArgumentHelp("ID or unique ID prefix of the highlight to open.", visibility: .default))
  var id: String?

  @Flag(help: ArgumentHelp("For tests: use upload sessions like those of Google Cloud Storage.", visibility: .hidden))
  var uploadSessions = false

  @Option(help: ArgumentHelp("For tests: the cost factor for password hashing, a power of 2.", visibility: .hidden))
  var passwordRounds = LocalServerConfiguration.defaultPasswordRounds

  @Option(
    help: ArgumentHelp(
      "Send Mux webhooks to this URL on this machine, signed with the key in BSC_MUX_WEBHOOK_SECRET or keys.json. "
        + "Can be repeated.", valueName: "url"))
  var webhook: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show a batch report (a JSONL file or an output folder) at /batches. Can be repeated.",
      valueName: "path"))
  var report: [String] = []

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    guard passwordRounds.nonzeroBitCount == 1, (1 << 4...1 << 20).contains(passwordRounds) else {
      throw ValidationError("--password-rounds must be a power of 2.")
    }
    for text in webhook where WebhookAddress.url(text) == nil {
      throw ValidationError("--webhook must be an http or https URL on 127.0.0.1 or localhost.")
    }
  }

  func run() async throws {
    // The settings may select a different backend, so this flag overrides them.
    let flags = FlagValue.makeFlags(
      ("local.port", "--port", port), ("share.base_url", "--public-url", publicURL),
      ("backend", "bsc serve", BackendKind.local.rawValue))
    let environment = try EngineEnvironment(flags: flags)
    let folder = environment.places.localBackendFolder
    if let running = LocalServer.running(in: folder) {
      try requireNoServerOptions(running)
      return announceServer(running, try await findPage(environment), folder, isRunning: true)
    }
    let port = environment.configuration.localPort.value
    var configuration = LocalServerConfiguration(
      dataFolder: folder, port: .preferably(port), assetMaker: .clipMedia)
    configuration.opensSessions = uploadSessions
    configuration.passwordRounds = passwordRounds
    configuration.openTo = try makeReachableAddress()
    configuration.webhooks = webhook.compactMap(WebhookAddress.url)
    configuration.webhookSecret = Self.readVariable("BSC_MUX_WEBHOOK_SECRET")
    configuration.reports = try report.map { try ServedReport(path: $0) }
    configuration.uploads = QueuedUpload.makeList(environment.places)
    #if Recruiting
    configuration.syncPosts = RecruitingSession.makeSync(environment)
    #endif
    configuration.publicURL = environment.configuration.shareBaseURL.value
    let server = try await LocalServer.start(configuration)
    if port != 0, server.port != port { output.writeNote("port \(port) is in use; using port \(server.port)") }
    do {
      announceServer(server.address, try await findPage(environment), folder, isRunning: false)
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

  /// Returns an environment variable's value; `nil` if it is unset or empty.
  private static func readVariable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Rejects server options, because they have no effect on a server that is already running.
  private func requireNoServerOptions(_ running: ServerAddress) throws {
    let isOtherPort = port.map { Int($0) != running.baseURL.port && $0 != "0" } ?? false
    let isOtherURL = publicURL.map { $0 != running.publicURL?.absoluteString } ?? false
    let options = [
      ("--port", isOtherPort), ("--host", host != nil), ("--token-file", tokenFile != nil),
      ("--public-url", isOtherURL),
      ("--webhook", !webhook.isEmpty), ("--report", !report.isEmpty),
    ].filter(\.1).map(\.0)
    guard !options.isEmpty else { return }
    throw CommandFailure(
      .alreadyServing, ["options": options.joined(separator: " and "), "url": running.baseURL.absoluteString])
  }

  /// Returns the page path of the highlight to open; `nil` if none was specified. The server must be running.
  /// - Throws: `ShareEngineError` if there is no such highlight.
  private func findPage(_ environment: EngineEnvironment) async throws -> String? {
    guard let id else { return nil }
    let connection = try BackendConnection(environment, transport: try environment.transport())
    return try await "h/\(connection.backend.findHighlight(id).id.uuidString.lowercased())"
  }

  private static let minimumTokenLength = 16

  private func makeReachableAddress() throws -> LocalServerConfiguration.ReachableAddress? {
    guard let host else {
      if tokenFile != nil { throw CommandFailure(.tokenWithoutHost) }
      return nil
    }
    var text = Self.readVariable("BSC_SERVE_TOKEN") ?? ""
    if let tokenFile {
      guard let bytes = try PrivateFile.read(absolutePath(tokenFile), limit: 4096, isInPrivateFolder: false) else {
        throw CommandFailure(.noTokenFile, ["path": tokenFile])
      }
      text = String(decoding: bytes, as: UTF8.self)
    }
    let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard token.count >= Self.minimumTokenLength, token.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
      throw CommandFailure(
        token.isEmpty ? .noToken : .weakToken, ["host": host, "length": "\(Self.minimumTokenLength)"])
    }
    return LocalServerConfiguration.ReachableAddress(host: host, token: token)
  }

  /// Prints the server's URL, and opens it in the browser if requested.
  /// - Parameters:
  ///   - path: the page to open instead of the home page.
  ///   - isRunning: whether another process is already running the server.
  private func announceServer(_ server: ServerAddress, _ path: String?, _ folder: String, isRunning: Bool) {
    let base = server.baseURL
    let page = path.map { base.appending(path: $0) } ?? base
    let entrance = open ? server.ownerSignInURL(to: page.path.isEmpty ? "/" : page.path).absoluteString : nil
    if output.json {
      Console.writeJSON(
        ServeDocument(
          baseURL: base.absoluteString, pageURL: page.absoluteString, entranceURL: entrance, dataFolder: folder,
          publicURL: server.publicURL?.absoluteString))
    } else {
      Console.write("\(page.absoluteString)\n")
      let others = host == "0.0.0.0" || host == "::" ? LocalServer.networkAddresses : []
      if let port = base.port, !others.isEmpty {
        output.writeRemark("URL for other machines: \(joinAlternatives(others.map { "http://\($0):\(port)" }))")
      }
      let token = server.requiresToken ? ", followed by ?token=…" : ""
      let end =
        isRunning
        ? "The server is already running. Its data is in \(folder)." : "Press Ctrl-C to stop the server."
      output.writeRemark("Open this URL in a browser\(token). \(end)")
    }
    guard let entrance, !Browser.open(entrance), !output.json else { return }
    Console.writeError(
      "No browser was found on this machine. To sign in as the owner, open this URL within five minutes:\n\(entrance)\n"
    )
  }
}

private struct ServeDocument: Encodable {
  var schema = "bsc.serve/1"
  var baseURL: String
  var pageURL: String
  /// A URL that signs the browser in as the owner; it works once, within five minutes. Present only with `--open`.
  var entranceURL: String?
  /// The folder that contains `keys.json`.
  var dataFolder: String
  /// The address at which coaches open links; absent if links have none.
  var publicURL: String?
}

/// The user's web browser.
enum Browser {
  /// Opens a URL in the browser.
  /// - Returns: whether a browser was found.
  @discardableResult
  static func open(_ address: String) -> Bool {
    #if canImport(Darwin)
    let opener = "/usr/bin/open"
    #else
    let opener = "/usr/bin/xdg-open"
    // If there is no display, `xdg-open` starts successfully but fails later.
    let environment = ProcessInfo.processInfo.environment
    guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { !(environment[$0] ?? "").isEmpty }) else { return false }
    #endif
    guard FileManager.default.isExecutableFile(atPath: opener) else { return false }
    let process = Process()
    process.executableURL = URL(filePath: opener)
    process.arguments = [address]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return (try? process.run()) != nil
  }
}
