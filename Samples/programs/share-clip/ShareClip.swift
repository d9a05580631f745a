import ClipModel
import Foundation
import Highlights
import LibCurl
import LocalBackend
import ShareEngine
import Upload

/// Shares a clip on the local backend: `share-clip FILE [CAPTION]`.
///
/// Journal, jobs and highlights are those of `bsc`: what one of them began, the other can finish, and
/// `bsc highlights list` shows the result. XDG_STATE_HOME and XDG_DATA_HOME name other folders.
@main
enum ShareClip {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let file = arguments.first, arguments.count <= 2 else { fail("usage: share-clip FILE [CAPTION]", status: 64) }
    do {
      let path = URL(filePath: file).standardizedFileURL.path(percentEncoded: false)
      let places = try ApplicationFolders(environment: ProcessInfo.processInfo.environment)
      // Uses the running backend, or starts one in this process.
      let job = try await LocalServer.withServer(in: places.localBackendFolder) { server in
        let endpoint = BackendEndpoint.localBackend(baseURL: server.baseURL.absoluteString, token: server.ownerToken)
        return try await share(path, caption: arguments.dropFirst().first, to: endpoint, places: places)
      }
      report(job)
    } catch let error as any ExplainedError {
      fail("error: \(error)\nnext: see \(error.explanation.id) in Docs/errors.md")
    } catch {
      fail("error: \(error)")
    }
  }

  /// Runs all five steps: probe, plan, process, upload, register. Call it again to resume an interrupted share.
  static func share(
    _ path: String, caption: String?, to endpoint: BackendEndpoint, places: ApplicationFolders
  ) async throws -> ShareJob {
    let transport = try TransferThread()
    let pipeline = SharePipeline(
      journal: try await Journal.open(places), places: places,
      backend: HighlightsAPI(transport: transport) { _ in endpoint },
      uploader: DirectUpload(transport: transport), resolveURL: { endpoint.resolveURL($0) }, report: show)
    return try await pipeline.share(path, request: ShareRequest(caption: caption), backendName: "local")
  }

  /// Prints progress. Called on any thread.
  static func show(_ event: ShareEvent) {
    switch event {
    case .opened(_, let isContinued): note(isContinued ? "resuming the job" : "starting a new job")
    case .began(_, let step): note("\(step.rawValue)…")
    case .progressed(_, let step, let fraction, _):
      if let fraction { note("\(step.rawValue): \(Int(fraction * 100)) %") }
    case .note(_, let text), .warning(_, let text): note("note: \(text)")
    case .ended: break
    }
  }

  static func report(_ job: ShareJob) {
    switch job.stage {
    case .registered(let highlight, _): print(highlight.id.uuidString.lowercased())
    case .rejected(let findings):
      for finding in findings {
        note(
          "error: cannot share \(job.source.name): \(finding.message)\nnext: \(finding.next ?? "choose another clip")")
      }
      exit(4)
    default: note("\(job.source.name) is \(job.stage.name)")
    }
  }

  static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  static func fail(_ text: String, status: Int32 = 1) -> Never {
    note(text)
    exit(status)
  }
}
