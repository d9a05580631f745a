import ClipModel
import TestSupport
import Testing

@testable import ShareEngine

@Suite struct DiskSpaceTests {
  /// Reports must not contain folders that the user did not write.
  @Test(arguments: [
    ("write", "output", "/data/small/a/x.mp4", "a/x.mp4"), ("read", "file", "/home/ada/s/a/x.mp4", "s/a/x.mp4"),
    ("read", "file", "x.mp4", "s/a/x.mp4"),
  ])
  func recordsContainPathsAsWritten(verb: String, fact: String, path: String, expected: String) {
    let item = BatchItem(
      path: "/home/ada/s/a/x.mp4", name: "a/x.mp4", displayPath: "s/a/x.mp4", destination: "/data/small/a/x.mp4",
      root: "/data/small")
    let failure = Explanation(
      id: "a.b", what: "cannot \(verb) \(path)", why: "why", facts: [fact: path], category: .inputOutput)
    let named = item.replaceAbsolutePaths(in: failure)
    #expect(named.what == "cannot \(verb) \(expected)" && named.facts == [fact: expected])
  }

  /// The error has the free and the needed bytes, and no path that the user did not write.
  @Test func missingDiskSpaceIsReported() throws {
    let folder = try ScratchFolder()
    func refusal(_ results: String?) -> Explanation? {
      #expect(throws: ShareEngineError.self) {
        try DiskSpace.requireFreeSpace(
          1 << 60, at: folder.path("small/clip.mp4"), operation: "write small/clip.mp4", folder: results)
      }?.explanation
    }
    let own = try #require(refusal(nil))
    #expect(own.id == "output.disk-full" && own.facts["operation"] == "write small/clip.mp4", "\(own)")
    #expect(own.facts["needed"] != nil && own.facts["free"] != nil && !"\(own)".contains(folder.path), "\(own)")
    #expect(refusal("the results")?.facts["disk"] == "the disk that contains the results")
    try DiskSpace.requireFreeSpace(1, at: folder.path("small/clip.mp4"), operation: "")
  }
}
