import DurableFiles
import Foundation
import TestSupport
import Testing

@testable import ShareEngine

/// The metadata next to a clip is copied with its result, even if its disk was removed in the meantime.
@Suite struct SidecarTests {
  private let folder: ScratchFolder
  private let item: BatchItem

  init() throws {
    folder = try ScratchFolder()
    for name in ["season", "small"] { try Folder.create(folder.path(name)) }
    item = BatchItem(
      path: folder.path("season/a.mp4"), name: "a.mp4", displayPath: "season/a.mp4",
      destination: folder.path("small/a.mp4"),
      root: folder.path("small"))
    try Data("clip".utf8).write(to: URL(filePath: item.path))
    try Data("{}".utf8).write(to: URL(filePath: folder.path("season/a.json")))
  }

  /// Files that can disappear after the clip was made, before or after their folder was listed.
  @Test(arguments: ["season", "season/a.json"], [true, false])
  func missingMetadataIsCopiedByTheNextRun(missing: String, isListed: Bool) throws {
    let names = SidecarNames()
    if isListed { #expect(try names.findSidecar(forClip: "a.mp4", in: folder.path("season")) == "a.json") }
    try FileManager.default.moveItem(atPath: folder.path(missing), toPath: folder.path("away"))
    let digest = FileDigest.sha256(of: Data("earlier".utf8))
    let copied = try Sidecar.copyMetadata(with: item, names: names, known: digest)
    if isListed || missing == "season" {
      #expect(copied.digest == digest && copied.note != nil, "\(copied)")
    } else {
      #expect(copied.digest == nil && copied.note == nil, "without metadata, nothing is missing")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("small/a.json")))
    try FileManager.default.moveItem(atPath: folder.path("away"), toPath: folder.path(missing))
    #expect(Sidecar.isOutdated(item, names: SidecarNames()))
    let next = try Sidecar.copyMetadata(with: item, names: SidecarNames(), known: nil)
    #expect(next.digest == FileDigest.sha256(of: Data("{}".utf8)) && next.note == nil)
    #expect(!Sidecar.isOutdated(item, names: SidecarNames()))
  }
}
