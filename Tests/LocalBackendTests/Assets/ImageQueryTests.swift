import ClipModel
import Foundation
import Testing

@testable import LocalBackend

@Suite struct ImageQueryTests {
  private func query(_ text: String) throws -> ImageQuery? {
    let parts = text.split(separator: "?", maxSplits: 1)
    var pairs: [(name: String, value: String)] = []
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append((name: String(sides[0]), value: sides.count < 2 ? "" : String(sides[1])))
    }
    return try ImageQuery(file: String(parts[0]), pairs)
  }

  @Test func validQueriesAreParsed() throws {
    #expect(try query("thumbnail.jpg") == .still(PictureFraming()))
    var still = PictureFraming(atSeconds: 1.5, format: .png)
    (still.width, still.height, still.fit, still.clockwiseDegrees) = (100, 50, .crop, 270)
    (still.flipsHorizontally, still.flipsVertically) = (true, false)
    #expect(
      try query(
        "thumbnail.png?time=1.5&width=100&height=50&fit_mode=crop&rotate=270&flip_h=true&flip_v=false&latest=false")
        == .still(still))
    var moving = AnimationFraming(format: .webp)
    (moving.start, moving.end, moving.height, moving.framesPerSecond) = (1, 3, 200, 30)
    #expect(try query("animated.webp?start=1&end=3&height=200&fps=30") == .animation(moving))
    #expect(try query("storyboard.webp") == .storyboard(.webp))
    #expect(try query("storyboard.vtt?format=webp") == .storyboardIndex(isWebVTT: true, format: .webp))
    #expect(try query("storyboard.json") == .storyboardIndex(isWebVTT: false, format: .jpeg))
  }

  @Test(arguments: [
    "thumbnail.gif", "thumbnail", "thumbnail.jpg.png", "animated.jpg", "storyboard.gif", "clip.mp4", "..", ".jpg",
    "thumbnail.jpeg", "THUMBNAIL.jpg", "",
  ])
  func unknownFilesAreNotFound(_ file: String) throws {
    #expect(try ImageQuery(file: file, []) == nil)
  }

  @Test(arguments: [
    "thumbnail.jpg?time=-1", "thumbnail.jpg?time=nan", "thumbnail.jpg?time=1e3", "thumbnail.jpg?time=",
    "thumbnail.jpg?time=1.2.3", "thumbnail.jpg?time=99999999", "thumbnail.jpg?time=0x10", "thumbnail.jpg?width=0",
    "thumbnail.jpg?width=4097", "thumbnail.jpg?width=1.5", "thumbnail.jpg?width=99999999999999999999",
    "thumbnail.jpg?rotate=45", "thumbnail.jpg?rotate=0", "thumbnail.jpg?flip_h=yes", "thumbnail.jpg?fit_mode=fill",
    "thumbnail.jpg?fit_mode=smartcrop&width=10&height=10", "thumbnail.jpg?fit_mode=crop&width=10",
    "thumbnail.jpg?latest=true", "thumbnail.jpg?token=x", "thumbnail.jpg?time=1&time=2", "thumbnail.jpg?Time=1",
    "animated.gif?fps=31", "animated.gif?fps=0", "animated.gif?width=641", "animated.gif?height=641",
    "animated.gif?start=1&end=1.1", "animated.gif?start=2&end=1", "animated.gif?start=0&end=10.1",
    "animated.gif?time=1", "storyboard.jpg?format=webp", "storyboard.vtt?format=gif",
  ])
  func invalidParametersAreRejected(_ text: String) throws {
    let failure = #expect(throws: BackendFailure.self) { try query(text) }
    #expect(failure?.type == "invalid_parameters")
  }

  @Test func equalPicturesHaveTheSameName() throws {
    let names = try [
      "thumbnail.jpg?time=1.5&width=7", "thumbnail.jpg?width=7&time=1.50004", "thumbnail.jpg?width=07&time=1.5",
    ]
    .map { try query($0)?.itemName }
    #expect(Set(names).count == 1)
    #expect(try query("thumbnail.jpg?time=1.6&width=7")?.itemName != names[0])
    #expect(names[0]?.wholeMatch(of: /still-[0-9a-f]{32}\.jpg/) != nil)
  }

  @Test func picturesHaveTheRequestedSize() {
    func sizes(_ width: Int?, _ height: Int?, _ fit: PictureFraming.FitMode = .preserve) -> String {
      var framing = PictureFraming()
      (framing.width, framing.height, framing.fit) = (width, height, fit)
      let layout = framing.layout(of: PictureSize(width: 320, height: 180))
      return "\(layout.scaled) \(layout.picture)"
    }
    #expect(sizes(nil, nil) == "320x180 320x180")
    #expect(sizes(101, nil) == "101x57 101x57")
    #expect(sizes(nil, 90) == "160x90 160x90")
    #expect(sizes(640, nil) == "640x360 640x360")
    #expect(sizes(100, 100) == "100x56 100x56")
    #expect(sizes(100, 100, .stretch) == "100x100 100x100")
    #expect(sizes(100, 100, .pad) == "100x56 100x100")
    #expect(sizes(100, 100, .crop) == "178x100 100x100")
    #expect(sizes(1, nil) == "1x1 1x1")
  }

  @Test func animationsFollowMuxsLimits() {
    let rules = PictureRules(durationSeconds: 12, shown: PictureSize(width: 1080, height: 1920), frameRate: 24)
    func plan(_ change: (inout AnimationFraming) -> Void) -> AnimationPlan? {
      var framing = AnimationFraming(format: .gif)
      change(&framing)
      return framing.plan(rules)
    }
    let usual = plan { _ in }
    #expect(usual?.range == 0..<5 && usual?.size == PictureSize(width: 320, height: 569))
    #expect(usual?.framesPerSecond == 15)
    #expect(plan { $0.width = 640 }?.size == PictureSize(width: 360, height: 640))
    #expect(plan { $0.height = 320 }?.size == PictureSize(width: 180, height: 320))
    #expect(plan { $0.framesPerSecond = 30 }?.framesPerSecond == 24)
    #expect(plan { $0.start = 10 }?.range == 10..<12)
    #expect(plan { $0.start = 11.8 } == nil)
    #expect(plan { $0.start = 12 } == nil)
    #expect(plan { ($0.start, $0.end) = (4, 30) }?.range == 4..<12)
  }
}
