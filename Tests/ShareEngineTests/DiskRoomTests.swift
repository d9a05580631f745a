import ClipModel
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct DiskRoomTests {
  /// Reports are for others, too: they have no folders that nobody named.
  @Test(arguments: [
    ("cannot write /data/small/a/x.mp4", "cannot write a/x.mp4"),
    ("cannot read /home/ada/s/a/x.mp4", "cannot read s/a/x.mp4"),
    ("cannot read x.mp4", "cannot read s/a/x.mp4"),
  ])
  func recordsHaveThePathsThatWereNamed(what: String, expected: String) {
    let item = BatchItem(
      path: "/home/ada/s/a/x.mp4", name: "a/x.mp4", shown: "s/a/x.mp4", destination: "/data/small/a/x.mp4",
      root: "/data/small")
    #expect(item.named(Explanation(what: what, why: "why", category: .inputOutput)).what == expected)
  }

  /// What has no room is named, how much there is and how much is needed; no path that nobody said.
  @Test func whatIsMissingIsTold() throws {
    let folder = try ScratchFolder()
    func refusal(_ place: String?) -> String? {
      #expect(throws: ShareEngineError.self) {
        try DiskRoom.require(
          1 << 60, at: folder.path("small/clip.mp4"), what: "cannot write small/clip.mp4", folder: place)
      }?.description
    }
    let own = try #require(refusal(nil))
    #expect(own.hasPrefix("cannot write small/clip.mp4: its disk is full: "), "\(own)")
    #expect(own.hasSuffix(" are needed") && !own.contains(folder.path), "\(own)")
    #expect(refusal("the results")?.contains(": the disk of the results is full: ") == true)
    try DiskRoom.require(1, at: folder.path("small/clip.mp4"), what: "")
  }
}
