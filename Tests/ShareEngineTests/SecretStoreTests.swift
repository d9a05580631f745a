import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import TestSupport
import Testing

@Suite struct SecretStoreTests {
  let home: ScratchFolder
  let store: SecretStore
  let job = UUID()
  static let url = "https://storage.example/upload?token=s3cret"

  init() throws {
    home = try ScratchFolder()
    store = SecretStore(places: try ApplicationFolders(environment: ["HOME": "/none", "XDG_STATE_HOME": home.path]))
  }

  private var file: String { "bsc/secrets/upload-url-\(job.uuidString.lowercased())" }

  @Test func uploadURLIsStoredUntilDeleted() throws {
    #expect(try store.read(.uploadURL(job: job)) == nil)
    try store.write(Secret(Self.url), as: .uploadURL(job: job))
    #expect(try store.read(.uploadURL(job: job))?.revealed == Self.url)
    #expect(try store.read(.uploadURL(job: UUID())) == nil)
    try store.delete(.uploadURL(job: job))
    try store.delete(.uploadURL(job: job))
    #expect(try store.read(.uploadURL(job: job)) == nil)
  }

  @Test func fileAndFolderArePrivate() throws {
    try store.write(Secret(Self.url), as: .uploadURL(job: job))
    #expect(try home.permissions("bsc/secrets") == 0o700)
    #expect(try home.permissions(file) == 0o600)
  }

  @Test(arguments: [0o640, 0o604]) func widerFileIsRefusedWithoutShowingItsContent(mode: Int) throws {
    try store.write(Secret(Self.url), as: .uploadURL(job: job))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: home.path(file))
    do {
      _ = try store.read(.uploadURL(job: job))
      Issue.record("a file that other users can read was accepted")
    } catch let error as any ExplainedError {
      #expect(error.explanation.category == .notConfigured)
      #expect(error.explanation.id == "file.not-private")
      #expect(!"\(error) \(error.explanation)".contains("s3cret"))
    }
  }

  @Test func widerFolderIsRefused() throws {
    try store.write(Secret(Self.url), as: .signIn)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path("bsc/secrets"))
    #expect(throws: DurableFileError.self) { try store.read(.signIn) }
    #expect(throws: DurableFileError.self) { try store.write(Secret("x"), as: .signIn) }
  }
}
