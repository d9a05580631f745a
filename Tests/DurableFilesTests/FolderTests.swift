import ClipModel
import Foundation
import TestSupport
import Testing

@testable import DurableFiles

@Suite struct FolderTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func newFoldersArePrivate() throws {
    try Folder.create(folder.path("a/b//c/"))
    for name in ["a", "a/b", "a/b/c"] { #expect(try folder.permissions(name) == 0o700) }
  }

  @Test func existingFolderIsUnchanged() throws {
    try Folder.create(folder.path("a"), permissions: 0o755)
    try folder.write("x", to: "a/file")
    try Folder.create(folder.path("a"))
    #expect(try folder.permissions("a") == 0o755)
    #expect(try folder.text("a/file") == "x")
  }

  @Test(arguments: ["file", "file/inside"]) func fileInPlaceOfAFolderFails(name: String) throws {
    try folder.write("x", to: "file")
    let error = #expect(throws: DurableFileError.self) { try Folder.create(folder.path(name)) }
    #expect(error?.explanation.facts["path"] == folder.path("file"))
    #expect(error?.explanation.category == .inputOutput)
  }

  @Test func removingAFolderDoesNotFollowLinks() throws {
    try Folder.create(folder.path("outside"))
    try folder.write("x", to: "outside/kept")
    try Folder.create(folder.path("a/b"))
    try folder.write("x", to: "a/b/removed")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a/link"), withDestinationPath: folder.path("outside"))
    try Folder.remove(folder.path("a"))
    #expect(try folder.names() == ["outside"])
    #expect(try folder.text("outside/kept") == "x")
  }

  @Test func removingAMissingFolderSucceeds() throws {
    try folder.write("x", to: "other")
    try Folder.remove(folder.path("none"))
    #expect(try folder.names() == ["other"])
  }

  @Test func namesOfAMissingFolderFail() throws {
    let error = #expect(throws: DurableFileError.self) { try Folder.names(in: folder.path("none")) }
    #expect(error?.code == ENOENT)
    #expect(error?.explanation.category == .noInput)
  }
}
