import ClipModel
import DurableFiles
import Foundation
import TestSupport
import Testing

@Suite struct FileIdentityTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func unchangedFileKeepsItsIdentity() throws {
    let path = try folder.write("clip", to: "a")
    #expect(try FileIdentity.of(path) == FileIdentity.of(path))
    #expect(try FileIdentity.of(path).byteCount == 4)
  }

  @Test func copyHasAnotherIdentity() throws {
    let path = try folder.write("clip", to: "a")
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("b"))
    #expect(try FileIdentity.of(path) != FileIdentity.of(folder.path("b")))
  }

  @Test func linksAreTheSameFile() throws {
    let path = try folder.write("clip", to: "a")
    try FileManager.default.linkItem(atPath: path, toPath: folder.path("hard"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("soft"), withDestinationPath: path)
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("copy"))
    let identity = try FileIdentity.of(path)
    #expect(try identity.isSameFile(as: FileIdentity.of(folder.path("hard"))))
    #expect(try identity.isSameFile(as: FileIdentity.of(folder.path("soft"))))
    #expect(try !identity.isSameFile(as: FileIdentity.of(folder.path("copy"))))
  }

  @Test func modificationTimeHasNanosecondPrecision() throws {
    let path = try folder.write("clip", to: "a")
    var times = [timespec(tv_sec: 1_000, tv_nsec: 5), timespec(tv_sec: 1_000, tv_nsec: 7)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    #expect(try FileIdentity.of(path).modifiedNanoseconds == 1_000_000_000_007)
  }

  @Test func symbolicLinkIsFollowed() throws {
    let path = try folder.write("clip", to: "a")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    #expect(try FileIdentity.of(folder.path("link")) == FileIdentity.of(path))
  }

  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      ("missing", "not-found"), ("folder", "not-a-file"), ("pipe", "not-a-file"), ("device", "not-a-file"),
      ("dangling", "not-found"), ("file/inside", "bad-path"), ("loop", "bad-path"),
    ])
  func nonRegularFileFailsWithoutBlocking(name: String, reason: String) throws {
    try folder.write("", to: "file")
    try Folder.create(folder.path("folder"))
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for (link, target) in [("device", "/dev/null"), ("dangling", "nowhere"), ("loop", "loop")] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
    let error = #expect(throws: DurableFileError.self) { try FileIdentity.of(folder.path(name)) }
    #expect(error?.explanation.id == "file.\(reason)" && error?.explanation.facts["file"] == folder.path(name))
    #expect(error?.explanation.category == .noInput)
  }

  @Test func unreadableFileFails() throws {
    let path = try folder.write("clip", to: "a", permissions: 0)
    // Root can read everything, so the test switches to the user nobody, who needs access to the folder.
    let isRoot = geteuid() == 0
    if isRoot {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path(""))
      try #require(seteuid(65534) == 0)
    }
    defer { if isRoot { precondition(seteuid(0) == 0) } }
    let error = #expect(throws: DurableFileError.self) { try FileIdentity.of(path) }
    #expect(error?.code == EACCES)
    #expect(error?.explanation.category == .noInput)
  }
}
