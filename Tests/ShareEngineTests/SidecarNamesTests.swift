import Foundation
import TestSupport
import Testing

@testable import ShareEngine

/// Finds the metadata of a clip by the names in its folder.
@Suite struct SidecarNamesTests {
  private static let video = "9C1D7E20-AB12-4F34-8C56-7890ABCDEF12"

  @Test(
    arguments: [
      ("clip.mp4", ["clip.json", "clip.mp4", "other.json"], "clip.json"),
      ("clip.mp4", ["clip.JSON"], "clip.JSON"), ("clip.mp4", ["Clip.json"], nil),
      // The app names files after the video's UUID, in upper or lower case.
      (video + ".mov", [video.lowercased() + ".json"], video.lowercased() + ".json"),
      ("clip.mp4", [video + ".json"], nil), ("clip.json", ["clip.json"], nil), ("clip.mp4", [], nil),
    ] as [(String, [String], String?)])
  func clipHasItsOwnMetadata(clip: String, names: [String], expected: String?) throws {
    let folder = try ScratchFolder()
    for name in names { try Data().write(to: URL(filePath: folder.path(name))) }
    #expect(try SidecarNames().findSidecar(forClip: clip, in: folder.path) == expected)
  }

  @Test func folderIsListedOnce() throws {
    let folder = try ScratchFolder()
    let names = SidecarNames()
    #expect(try names.findSidecar(forClip: "a.mp4", in: folder.path) == nil)
    try Data().write(to: URL(filePath: folder.path("a.json")))
    #expect(try names.findSidecar(forClip: "a.mp4", in: folder.path) == nil)
    #expect(try SidecarNames().findSidecar(forClip: "a.mp4", in: folder.path) == "a.json")
  }
}
