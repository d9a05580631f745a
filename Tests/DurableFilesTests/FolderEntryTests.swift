import ClipModel
import Foundation
import TestSupport
import Testing

@testable import DurableFiles

@Suite struct FolderEntryTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func entriesHaveTheirKind() throws {
    try folder.write("x", to: "file")
    try folder.write("x", to: ".hidden")
    try Folder.create(folder.path("folder"))
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for (link, target) in [("to file", "file"), ("to folder", "folder"), ("to nothing", "none"), ("loop", "loop")] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
    let kinds = Dictionary(uniqueKeysWithValues: try Folder.entries(in: folder.path).map { ($0.name, $0.kind) })
    #expect(
      kinds == [
        "file": .file, ".hidden": .file, "folder": .folder, "pipe": .file, "to file": .file,
        "to folder": .linkToFolder, "to nothing": .file, "loop": .file,
      ])
    #expect(try Folder.entries(in: folder.path("to folder")).isEmpty)
  }

  @Test func nonUTF8NameIsPreserved() throws {
    // "café.mp4" in Latin-1. Some file systems reject such a name.
    let bytes = Array("\(folder.path)/caf".utf8) + [0xE9] + Array(".mp4".utf8) + [0]
    let descriptor = open(bytes.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY, 0o600)
    guard descriptor >= 0 else { return }
    close(descriptor)
    let entry = try #require(try Folder.entries(in: folder.path).first)
    #expect(entry == FolderEntry(bytes: Array("caf".utf8) + [0xE9] + Array(".mp4".utf8), kind: .file))
    #expect(entry.makeUnreachableError(in: folder.path).explanation.category == .unjudged)
  }

  @Test func listingAMissingFolderFails() throws {
    let error = #expect(throws: DurableFileError.self) { try Folder.entries(in: folder.path("none")) }
    #expect(error?.code == ENOENT)
    #expect(error?.explanation.category == .noInput)
  }
}
