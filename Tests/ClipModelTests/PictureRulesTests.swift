import Foundation
import Testing

@testable import ClipModel

/// Tests which pictures are rendered from a clip.
@Suite struct PictureRulesTests {
  private static func rules(
    _ seconds: Double = 10, width: Int = 1920, height: Int = 1080, frameRate: Double? = 30, play: Range<Double>? = nil
  ) -> PictureRules {
    PictureRules(
      durationSeconds: seconds, shown: PictureSize(width: width, height: height), frameRate: frameRate, play: play)
  }

  private static func tiles(_ kind: PictureKind, _ rules: PictureRules, _ settings: PictureSettings? = nil) throws
    -> TilePlan
  {
    var settings = settings ?? PictureSettings()
    settings.kinds = [kind]
    guard case .tiles(let plan) = try #require(rules.makePlans(settings).first) else { throw NoTiles() }
    return plan
  }

  private struct NoTiles: Error {}

  /// The format of `bsc plan --json` and of journals.
  @Test func plansAreFlatJSONObjects() throws {
    var settings = PictureSettings()
    settings.kinds = PictureKind.allCases
    for plan in Self.rules().makePlans(settings) {
      let bytes = try JSONEncoder().encode(plan)
      let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      #expect(object["kind"] as? String == plan.kind.rawValue && object.count > 3)
      #expect(try JSONDecoder().decode(PicturePlan.self, from: bytes) == plan)
    }
  }

  @Test(arguments: [(2.0, 10.0, 2.0), (2, 1, 1), (30, 10, 10), (-3, 10, 0), (2, 0, 0)])
  func posterTimeIsClampedToTheClip(at: Double, length: Double, expected: Double) throws {
    guard case .poster(let plan) = Self.rules(length).makePlans(PictureSettings(posterSeconds: at))[0] else {
      throw NoTiles()
    }
    #expect(abs(plan.atSeconds - expected) < 1e-9)
    #expect(plan.candidates == nil)
    #expect((plan.note != nil) == (at > length))
  }

  @Test(
    arguments: [
      (PictureSize(width: 3840, height: 2160), nil, PictureSize(width: 1280, height: 720)),
      (PictureSize(width: 1080, height: 1920), nil, PictureSize(width: 720, height: 1280)),
      (PictureSize(width: 640, height: 360), nil, PictureSize(width: 640, height: 360)),
      (PictureSize(width: 640, height: 360), 2000, PictureSize(width: 640, height: 360)),
      (PictureSize(width: 1080, height: 1920), 540, PictureSize(width: 540, height: 960)),
      (PictureSize(width: 1920, height: 1080), 1920, PictureSize(width: 1920, height: 1080)),
    ] as [(PictureSize, Int?, PictureSize)])
  func posterHasTheAspectRatioOfTheClip(shown: PictureSize, width: Int?, expected: PictureSize) {
    #expect(PosterPlan(atSeconds: 0, maximumWidth: width).size(of: shown) == expected)
  }

  @Test func sheetShowsTheMiddlesOfEqualParts() throws {
    let plan = try Self.tiles(.sheet, Self.rules(16))
    #expect(plan.seconds == (0..<16).map { Double($0) + 0.5 })
    #expect(plan.columns == 4 && plan.rows == 4 && plan.isLabelled)
    #expect(plan.size.width <= PictureRules.sheetWidth && plan.size.width > PictureRules.sheetWidth - 20)
    // Tiles are inside the picture and do not overlap.
    let last = plan.tileOrigin(of: 15)
    #expect(last.x + plan.tile.width + plan.gap == plan.size.width)
    #expect(last.y + plan.tile.height + plan.gap == plan.size.height)
    #expect(plan.tileOrigin(of: 1).x - plan.tileOrigin(of: 0).x == plan.tile.width + plan.gap)
  }

  @Test func portraitClipHasAWiderGrid() throws {
    let plan = try Self.tiles(.sheet, Self.rules(width: 1080, height: 1920))
    #expect(plan.columns == 6 && plan.rows == 3)
    #expect(plan.tile.height > plan.tile.width)
  }

  /// As at Mux: 50 tiles below a quarter of an hour and 100 above, with at most 256 pixels.
  @Test(arguments: [(10.0, 50), (899, 50), (900, 100), (0.5, 15)])
  func storyboardHasTheTileCountOfMux(seconds: Double, count: Int) throws {
    let plan = try Self.tiles(.storyboard, Self.rules(seconds))
    #expect(plan.seconds.count == count)
    #expect(plan.seconds.first == 0 && plan.seconds.allSatisfy { $0 < seconds })
    #expect(plan.tile == PictureSize(width: 256, height: 144))
  }

  @Test func storyboardIndexesDescribeTheTiles() throws {
    let plan = try Self.tiles(.storyboard, Self.rules(100))
    let board = Storyboard(plan, url: "my clip-storyboard.jpg")
    #expect(board.tiles.count == 50)
    #expect(board.tiles[6].start == 12 && board.tiles[6].x == 256 && board.tiles[6].y == 144)
    let json = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(board))
    let object = try #require(json as? [String: Any])
    #expect(Set(object.keys) == ["url", "tile_width", "tile_height", "duration", "tiles"])
    let lines = board.webVTT.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "WEBVTT")
    #expect(lines[2] == "00:00:00.000 --> 00:00:02.000")
    #expect(lines[3] == "my%20clip-storyboard.jpg#xywh=0,0,256,144")
    #expect(board.url == "my%20clip-storyboard.jpg")
    #expect(board.webVTT.contains("00:01:38.000 --> 00:01:40.000\n"))
  }

  @Test func bestFrameIsSearchedDuringPlay() throws {
    var settings = PictureSettings()
    settings.picksBest = true
    func candidates(_ rules: PictureRules) throws -> [Double] {
      guard case .poster(let plan) = rules.makePlans(settings)[0] else { throw NoTiles() }
      return try #require(plan.candidates)
    }
    let all = try candidates(Self.rules(10))
    #expect(all.count == 50 && all.allSatisfy { (0..<10).contains($0) })
    let inPlay = try candidates(Self.rules(10, play: 2..<4))
    #expect(inPlay.count == 10 && inPlay.allSatisfy { (2..<4).contains($0) })
    // For any length, and for implausible times of play.
    #expect(try candidates(Self.rules(3600)).count == 300)
    #expect(try candidates(Self.rules(10, play: 20..<30)).count == 50)
    #expect(try candidates(Self.rules(0)).count == 1)
  }

  @Test(
    arguments: [(10.0, 2.0..<9.5), (5, 2..<4.5), (4.9, 0.5..<4.4), (1, nil), (0.4, nil)] as [(Double, Range<Double>?)])
  func playExcludesTheMarginsOfTheApp(length: Double, expected: Range<Double>?) {
    #expect(PictureRules.rangeOfPlay(inRallyOf: length) == expected)
  }

  @Test func animationIsNotLongerThanTheClip() throws {
    var settings = PictureSettings(kinds: [.animated])
    settings.picksBest = true
    func plan(_ rules: PictureRules) throws -> AnimationPlan {
      guard case .animation(let plan) = rules.makePlans(settings)[0] else { throw NoTiles() }
      return plan
    }
    let usual = try plan(Self.rules(10))
    #expect(usual.range == 0..<5 && usual.picksBest && usual.seconds.count == 150)
    #expect(usual.size == PictureSize(width: 320, height: 180))
    let short = try plan(Self.rules(2))
    #expect(short.range == 0..<2 && !short.picksBest && short.seconds.count == 30)
    // Low frame rates are kept.
    #expect(try plan(Self.rules(10, frameRate: 8)).framesPerSecond == 8)
  }

  /// Implausible numbers from files neither trap nor lead to pictures that no format supports.
  @Test(arguments: [Double.nan, .infinity, -1, 0, 1e300, 1e-300], [Double.nan, .infinity, -1, 0, 1e300, 1e-9])
  func implausibleClipsGetPlausiblePlans(seconds: Double, rate: Double) {
    for shown in [PictureSize(width: 1, height: 30_000), PictureSize(width: 60_000, height: 2)] {
      let rules = PictureRules(durationSeconds: seconds, shown: shown, frameRate: rate, play: 0..<1e300)
      var settings = PictureSettings(kinds: PictureKind.allCases, posterSeconds: 1e300)
      settings.picksBest = true
      settings.grid = PictureGrid(columns: 1, rows: 20)
      for plan in rules.makePlans(settings) {
        guard case .tiles(let tiles) = plan else { continue }
        #expect(tiles.size.longSide <= 16_383, "\(tiles.kind) \(tiles.size)")
        #expect(tiles.seconds.count <= 100 && tiles.seconds.allSatisfy { (0...1e7).contains($0) })
      }
    }
  }

  @Test(arguments: [Rational(1, 1000), Rational(1_000_000, 1), Rational(17, 1)])
  func implausiblePixelsAreTreatedAsSquare(ratio: Rational) {
    let size = PictureSize(width: 640, height: 360)
    #expect(size.withSquarePixels(sampleAspectRatio: ratio) == size)
    #expect(size.withSquarePixels(sampleAspectRatio: Rational(4, 3)) == PictureSize(width: 853, height: 360))
  }

  /// If only part of a damaged source is usable, all times are moved into that part.
  @Test func plansAreShortened() throws {
    var settings = PictureSettings(kinds: [.poster, .storyboard, .animated], posterSeconds: 5)
    settings.picksBest = true
    for plan in Self.rules(10).makePlans(settings).map({ $0.shortened(to: 2) }) {
      switch plan {
      case .poster(let poster):
        #expect(poster.atSeconds <= 2)
        let candidates = try #require(poster.candidates)
        #expect(!candidates.isEmpty && candidates.allSatisfy { $0 < 2 })
      case .tiles(let tiles):
        #expect(tiles.durationSeconds == 2 && tiles.seconds.count == 50 && tiles.seconds.allSatisfy { $0 < 2 })
      case .animation(let animation):
        #expect(animation.range == 0..<2 && animation.seconds.allSatisfy { $0 < 2 })
      }
    }
  }

  @Test func eachKindIsRenderedOnce() {
    #expect(
      Self.rules().makePlans(PictureSettings(kinds: [.sheet, .poster, .sheet])).map(\.kind) == [.sheet, .poster])
  }

  @Test(
    arguments: [
      ("4x3", PictureGrid(columns: 4, rows: 3)), ("1X20", PictureGrid(columns: 1, rows: 20)), ("0x3", nil),
      ("4x21", nil),
      ("4", nil), ("4x", nil), ("x", nil), ("4x3x2", nil), ("-1x2", nil),
    ] as [(String, PictureGrid?)])
  func gridsAreParsed(text: String, expected: PictureGrid?) { #expect(PictureGrid(text) == expected) }
}
