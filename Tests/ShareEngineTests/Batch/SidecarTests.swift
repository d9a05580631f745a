import DurableFiles
import Foundation
import TestSupport
import Testing

@testable import ShareEngine

/// The metadata beside a clip goes where the result goes, also when its disk is taken out before it could.
@Suite struct SidecarTests {
  private let folder: ScratchFolder
  private let item: BatchItem

  init() throws {
    folder = try ScratchFolder()
    for name in ["season", "small"] { try Folder.create(folder.path(name)) }
    item = BatchItem(
      path: folder.path("season/a.mp4"), name: "a.mp4", shown: "season/a.mp4", destination: folder.path("small/a.mp4"),
      root: folder.path("small"))
    try Data("film".utf8).write(to: URL(filePath: item.path))
    try Data("{}".utf8).write(to: URL(filePath: folder.path("season/a.json")))
  }

  /// What may go away after the clip was made, and how much of it had been listed by then.
  @Test(arguments: ["season", "season/a.json"], [true, false])
  func whatWentAwayComesWithTheNextRun(gone: String, isListed: Bool) throws {
    let names = SidecarNames()
    if isListed { #expect(try names.name(forClip: "a.mp4", in: folder.path("season")) == "a.json") }
    try FileManager.default.moveItem(atPath: folder.path(gone), toPath: folder.path("away"))
    let digest = FileDigest.sha256(of: Data("earlier".utf8))
    let taken = try Sidecar.travel(with: item, names: names, known: digest)
    if isListed || gone == "season" {
      #expect(taken.digest == digest && taken.note?.contains("comes along with the next run") == true, "\(taken)")
    } else {
      #expect(taken.digest == nil && taken.note == nil, "there is no metadata, so nothing is missing")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("small/a.json")))
    try FileManager.default.moveItem(atPath: folder.path("away"), toPath: folder.path(gone))
    #expect(Sidecar.isBehind(item, names: SidecarNames()))
    let next = try Sidecar.travel(with: item, names: SidecarNames(), known: nil)
    #expect(next.digest == FileDigest.sha256(of: Data("{}".utf8)) && next.note == nil)
    #expect(!Sidecar.isBehind(item, names: SidecarNames()))
  }
}
