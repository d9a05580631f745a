import Foundation
import TestSupport
import Testing
import Upload

@Suite struct FileSourceTests {
  enum Change: CaseIterable {
    case appended, truncated, replaced, removed, touched
  }

  @Test(arguments: Change.allCases) func changedFileEndsUpload(change: Change) async throws {
    let fixture = try UploadFixture(byteCount: 3 * unit)
    let server = try await FaultServer()
    let error = await #expect(throws: UploadError.self) {
      _ = try await fixture.upload(to: server.url) { _ in try Self.apply(change, to: fixture.file) }
    }
    guard case .sourceChanged = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(!server.isComplete)
    #expect(server.requests.count == 1)
  }

  @Test func unusableFilesAreRefused() throws {
    let fixture = try UploadFixture(byteCount: 0)
    for path in [fixture.file.path, fixture.file.path + ".none", fixture.file.deletingLastPathComponent().path] {
      let error = #expect(throws: UploadError.self) { _ = try FileSource(path: path) }
      guard case .sourceUnreadable = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
  }

  private static func apply(_ change: Change, to file: URL) throws {
    switch change {
    case .appended, .truncated:
      let handle = try FileHandle(forWritingTo: file)
      if change == .truncated {
        try handle.truncate(atOffset: 5)
      } else {
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([1]))
      }
      try handle.close()
    case .replaced:
      let copy = file.appendingPathExtension("copy")
      try FileManager.default.copyItem(at: file, to: copy)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: copy, to: file)
    case .removed: try FileManager.default.removeItem(at: file)
    case .touched:
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.path)
    }
  }
}
