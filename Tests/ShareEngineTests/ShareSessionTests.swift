import ClipModel
import ShareEngine
import TestSupport
import Testing

/// `ShareSession.share`.
@Suite struct ShareSessionTests {
  private struct NoLocalBackend: LocalBackendHost {
    struct Unused: Error {}

    var isEmbedded: Bool { get async { false } }
    func address() async throws -> LocalBackendAddress { throw Unused() }
    func close() async {}
  }

  /// Mux would get two videos instead of a post.
  @Test func postAtMuxIsRefused() async throws {
    let home = try ScratchFolder()
    let places = try ApplicationFolders(environment: ["HOME": home.path])
    let configuration = try ShareEngine.Configuration(
      environment: ["BSC_BACKEND": "mux", "BSC_MUX_TOKEN_ID": "id", "BSC_MUX_TOKEN_SECRET": "secret"],
      workingFolder: home.path, places: places)
    let environment = EngineEnvironment(places: places, configuration: configuration, variables: [:]) { _, _ in
      NoLocalBackend()
    }
    let session = try await ShareSession(environment) { _ in }
    var post = ShareRunRequest(files: [home.path("a.mp4"), home.path("b.mp4")], clipRequest: ShareRequest())
    post.isSingleHighlight = true
    let request = post
    let error = await #expect(throws: ShareEngineError.self) { try await session.share(request) }
    #expect(error?.explanation.id == "share.no-posts")
  }
}
