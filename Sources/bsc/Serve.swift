import ArgumentParser
import ClipModel
import Foundation
import LocalBackend
import ShareEngine

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the local backend and its pages: see what was shared in a browser.",
    discussion: """
      EXAMPLES:
        bsc serve
        bsc serve --open            and open the newest highlights in the browser
        bsc serve --open 3f2a       and open this one

      Listens on this machine only. Ctrl-C ends it; everything stays.
      """)

  @Option(help: "Port; another free one is taken when it is in use. (default: 7437)")
  var port: String?

  @Flag(help: "Open the page in the browser; a highlight's id may follow.")
  var open = false

  @Argument(help: ArgumentHelp("Highlight to open.", visibility: .default))
  var id: String?

  @Flag(
    help: ArgumentHelp("Open uploads as Google Cloud Storage does, for tests of the endpoint.", visibility: .hidden))
  var uploadSessions = false

  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let flags = port.map { [FlagValue(key: "local.port", flag: "--port", text: $0)] } ?? []
    let surroundings = try Surroundings(flags: flags)
    let folder = surroundings.places.localBackendFolder
    if let running = LocalServer.running(in: folder) {
      Console.writeError("The local backend runs already.\n")
      announce(running)
      return
    }
    var configuration = LocalServerConfiguration(
      dataFolder: folder, port: .preferably(surroundings.configuration.localPort.value), assetMaker: .clipMedia)
    configuration.opensSessions = uploadSessions
    let server = try await LocalServer.start(configuration)
    announce(server.baseURL)
    await withTaskCancellationHandler {
      await server.waitUntilStopped()
    } onCancel: {
      Task { await server.stop() }
    }
  }

  private func announce(_ base: URL) {
    let page = id.map { base.appending(path: "h/\($0.lowercased())") } ?? base
    if output.json {
      Console.writeJSON(ServeDocument(baseURL: base.absoluteString, pageURL: page.absoluteString))
    } else {
      Console.write("\(page.absoluteString)\n")
      if !output.quiet { Console.writeError("Open this address in a browser. Ctrl-C ends the server.\n") }
    }
    if open { Browser.open(page.absoluteString) }
  }
}

private struct ServeDocument: Encodable {
  var schema = "bsc.serve/1"
  var baseURL: String
  var pageURL: String
}

/// The person's browser.
enum Browser {
  static func open(_ address: String) {
    #if canImport(Darwin)
      let opener = "/usr/bin/open"
    #else
      let opener = "/usr/bin/xdg-open"
    #endif
    guard FileManager.default.isExecutableFile(atPath: opener) else {
      return Console.writeError("There is no browser to open here; the address is above.\n")
    }
    let process = Process()
    process.executableURL = URL(filePath: opener)
    process.arguments = [address]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try? process.run()
  }
}
