import ArgumentParser
import ClipModel
import Foundation
import Privacy
import ShareEngine
import Testing

@testable import bsc

/// The conversion of command lines to requests, without running them.
@Suite struct RequestTests {
  private func environment(backend: String = "local") throws -> EngineEnvironment {
    let places = try ApplicationFolders(environment: ["HOME": "/nowhere"])
    let configuration = try ShareEngine.Configuration(
      flags: [FlagValue(key: "backend", flag: "test", text: backend)], environment: [:], workingFolder: "/nowhere",
      places: places)
    return EngineEnvironment(places: places, configuration: configuration, variables: [:]) { _, _ in
      EmbeddedBackend(folder: "/nowhere", port: 0)
    }
  }

  private static let shares: [([String], @Sendable (ShareRunRequest) -> Bool)] = [
    (
      ["a.mp4", "b.mp4"],
      { $0.files == ["a.mp4", "b.mp4"] && !$0.isSingleHighlight && $0.clipRequest.privacy == .everyone }
    ),
    (
      ["a.mp4"],
      {
        var expected = ShareRequest(metadata: MetadataRequest(), settings: $0.clipRequest.settings)
        expected.usesAccountPrivacy = true
        return $0.clipRequest == expected
      }
    ),
    (["a.mp4", "--caption", "Ace #spike"], { $0.clipRequest.caption == "Ace #spike" }),
    (["a.mp4", "--caption=-5"], { $0.clipRequest.caption == "-5" }),
    (
      ["a.mp4", "--privacy", "private"],
      { $0.clipRequest.privacy == .onlyMe && $0.isPrivacyGiven && $0.clipRequest.usesAccountPrivacy == nil }
    ),
    (["a.mp4", "--hide-likes"], { $0.clipRequest.hideLikes && !$0.isPrivacyGiven }),
    (["a.mp4", "b.mp4", "--together"], { $0.isSingleHighlight }),
    (["a.mp4", "--force"], { $0.ignoresEarlierShares }),
    (["a.mp4", "-f"], { $0.ignoresEarlierShares }),
    (["a.mp4", "--rally", "3"], { $0.clipRequest.metadata.rallyIndex == 3 }),
    (["a.mp4", "--metadata", "/m.json"], { $0.clipRequest.metadata.path == "/m.json" }),
    (["a.mp4", "--metadata-mode", "clip"], { $0.clipRequest.metadata.mode == .clip }),
    (["a.mp4", "--allow-no-metadata"], { $0.clipRequest.metadata.isOptional }),
    (["a.mp4", "--from", "1:02", "--to", "75.5"], { $0.clipRequest.cut == 62..<75.5 }),
    (["a.mp4", "--mute"], { $0.clipRequest.settings.mute }),
    (["a.mp4", "--keep-hdr"], { $0.clipRequest.settings.keepsHDR }),
    (["a.mp4", "--salvage"], { $0.clipRequest.settings.salvages }),
    (["a.mp4", "--hardware"], { $0.clipRequest.settings.usesHardware }),
    (["a.mp4", "--max-size", "25MB"], { $0.clipRequest.settings.maximumByteCount == 25_000_000 }),
    (["a.mp4"], { $0.clipRequest.settings.pictures.kinds == [.poster] && !$0.keepsPictures }),
    (
      ["a.mp4", "--kind", "sheet", "--kind", "poster"],
      { $0.keepsPictures && $0.clipRequest.settings.pictures.kinds.count == 2 }
    ),
  ]

  @Test(arguments: shares.indices) func share(index: Int) throws {
    let (arguments, isRight) = Self.shares[index]
    let request = try Share.parse(arguments).makeRequest(environment())
    #expect(isRight(request), "\(arguments): \(request)")
  }

  @Test(arguments: [
    ("mux", ["--allow-no-metadata", "a.mp4"], "share.metadata-required"),
    ("supabase", ["--allow-no-metadata", "a.mp4"], "share.metadata-required"),
    ("mux", ["--together", "a.mp4", "b.mp4"], "share.no-posts"),
  ])
  func unsupportedRequestIsRefused(backend: String, arguments: [String], id: String) throws {
    let share = try Share.parse(arguments)
    let error = #expect(throws: ShareEngineError.self) { try share.makeRequest(environment(backend: backend)) }
    #expect(error?.explanation.id == id)
  }

  private static let compressions: [([String], @Sendable (CompressRunRequest) -> Bool)] = [
    (["a", "b"], { $0.paths == ["a", "b"] && $0.output == nil && !$0.replaces && !$0.isWatching }),
    (["a", "-o", "out/"], { $0.output == "out/" }),
    (["a", "--force"], { $0.options.force }),
    (["a", "--replace"], { $0.replaces }),
    (["a", "--retry-failed"], { $0.options.retriesFailed }),
    (["a", "--fail-fast"], { $0.options.failsFast }),
    (["a", "--min-free", "2GB"], { $0.options.minimumFreeByteCount == 2_000_000_000 }),
    (["a", "--memory", "512MiB", "-j", "8"], { $0.options.jobLimit == 1 }),
    (["a", "--schedule", "22:00-07:00"], { $0.options.window != nil }),
    (["a", "--shard", "0/4"], { $0.shard != nil }),
    (["a", "--watch", "--settle", "2"], { $0.isWatching && $0.settleTime == .seconds(2) }),
    (["a", "--include", "*.mov", "--exclude", "b*"], { $0.includes.count == 1 && $0.excludes.count == 1 }),
    (
      ["a", "--rally", "2"],
      { $0.isRally && $0.clipRequest.metadata.rallyIndex == 2 && !$0.clipRequest.metadata.isOptional }
    ),
    (["a"], { !$0.isRally && $0.clipRequest.metadata.isOptional && $0.clipRequest.settings.pictures.kinds.isEmpty }),
    (["a", "--from", "2"], { $0.clipRequest.cut?.lowerBound == 2 }),
  ]

  @Test(arguments: compressions.indices) func compress(index: Int) throws {
    let (arguments, isRight) = Self.compressions[index]
    let request = try Compress.parse(arguments).makeRequest(environment())
    #expect(isRight(request), "\(arguments): \(request)")
  }

  private static let cuts: [([String], @Sendable (CutRunRequest) -> Bool)] = [
    (
      ["m.mov"],
      { $0.match == "m.mov" && $0.options.rallies == .all && $0.options.trims == .none && $0.workerCount == nil }
    ),
    (
      ["m.mov", "--rally", "1,4-7"],
      { $0.options.rallies == RallyIndexSelection("1,4-7").map(MatchCutOptions.RallyChoice.numbers) }
    ),
    (["m.mov", "--saved"], { $0.options.rallies == .saved(selectionsPath: nil) }),
    (["m.mov", "--selections", "/s.json"], { $0.options.rallies == .saved(selectionsPath: "/s.json") }),
    (["m.mov", "--trims"], { $0.options.trims == .applied(path: nil) }),
    (["m.mov", "--reencode", "-f", "-j", "3"], { $0.options.reencodes && $0.isForced && $0.workerCount == 3 }),
    (["m.mov", "--metadata", "m.json", "-o", "out"], { $0.metadata == "m.json" && $0.folder == "out" }),
  ]

  @Test(arguments: cuts.indices) func cut(index: Int) throws {
    let (arguments, isRight) = Self.cuts[index]
    let request = try Cut.parse(arguments).makeRequest(environment())
    #expect(isRight(request), "\(arguments): \(request)")
  }

  /// `bsc cut --share` creates the same share request as `bsc share`.
  @Test func cutCreatesSameShareRequest() throws {
    let flags = ["--caption", "X", "--privacy", "private", "--hide-likes", "--mute"]
    let cut = try Cut.parse(["m.mov", "--share"] + flags).makeShareRequest(environment(), clips: ["a.mp4"])
    let share = try Share.parse(["a.mp4"] + flags).makeRequest(environment())
    #expect(
      cut.clipRequest == share.clipRequest && cut.files == share.files && cut.isPrivacyGiven == share.isPrivacyGiven)
  }

  private static let plans: [([String], @Sendable (ShareRequest) -> Bool)] = [
    (["a.mp4"], { $0.metadata == MetadataRequest() && $0.cut == nil && $0.settings.pictures.kinds == [.poster] }),
    (
      ["a.mp4", "--metadata", "/m.json", "--rally", "3"],
      { $0.metadata == MetadataRequest(path: "/m.json", rallyIndex: 3) }
    ),
    (
      ["a.mp4", "--metadata-mode", "source", "--allow-no-metadata"],
      { $0.metadata == MetadataRequest(mode: .source, isOptional: true) }
    ),
    (["a.mp4", "--from", "2.5", "--to", "1:02"], { $0.cut == 2.5..<62 }),
    (["a.mp4", "--height", "720", "--codec", "hevc"], { $0.settings.shortSide == 720 && $0.settings.codec == .hevc }),
    (
      ["a.mp4", "--kind", "sheet", "--grid", "3x2"],
      {
        $0.settings.pictures.kinds == [.sheet] && $0.settings.pictures.grid == PictureGrid(columns: 3, rows: 2)
      }
    ),
  ]

  @Test(arguments: plans.indices) func plan(index: Int) throws {
    let (arguments, isRight) = Self.plans[index]
    let request = try Plan.parse(arguments).makeRequest(environment())
    #expect(isRight(request), "\(arguments): \(request)")
  }

  private static let strips: [([String], @Sendable (StripRequest) -> Bool)] = [
    (["a"], { $0.options == StripOptions() && $0.policy == .keepExisting && !$0.verifiesPackets }),
    (["a", "--force"], { $0.policy == .replace }),
    (["a", "--in-place"], { $0.policy == .replace }),
    (["a", "--identifiers"], { $0.options.removesIdentifiers && !$0.options.keepsModel }),
    (["a", "--identifiers", "--keep-model"], { $0.options.removesIdentifiers && $0.options.keepsModel }),
    (["a", "--dates"], { $0.options.removesDates && !$0.options.removesIdentifiers }),
    (["a", "--keep-motion"], { $0.options.keepsMotion }),
    (["a", "--prove"], { $0.verifiesPackets }),
  ]

  @Test(arguments: strips.indices) func strip(index: Int) throws {
    let (arguments, isRight) = Self.strips[index]
    let request = try Strip.parse(arguments).makeRequest()
    #expect(isRight(request), "\(arguments): \(request)")
  }

  private static let validations: [([String], @Sendable (ValidationBatch) -> Bool)] = [
    (["a"], { $0.validator.depth == .samples && $0.timeout == .seconds(60) }),
    (["a"], { $0.validator.evaluator.standards == [.october2025] && !$0.validator.evaluator.isPublished }),
    (["a"], { $0.validator.metadata == MetadataRequest() }),
    (["a", "--decode"], { $0.validator.depth == .frames && $0.timeout == .seconds(60) }),
    (["a", "--deep"], { $0.validator.depth == .everything && $0.timeout == .seconds(3600) }),
    (["a", "--deep", "--timeout", "1.5"], { $0.timeout == .seconds(1.5) }),
    (["a", "-j", "3"], { $0.jobs == 3 }),
    (
      ["a", "--rules", "mux-2024-06", "--rules", "published"],
      { $0.validator.evaluator.standards.map(\.name) == ["mux-2024-06"] && $0.validator.evaluator.isPublished }
    ),
    (
      ["a", "--rally", "2", "--metadata-mode", "source"],
      { $0.validator.metadata == MetadataRequest(mode: .source, rallyIndex: 2) }
    ),
    (["a", "--allow-no-metadata"], { $0.validator.metadata == MetadataRequest(isOptional: true) }),
  ]

  @Test(arguments: validations.indices) func validate(index: Int) throws {
    let (arguments, isRight) = Self.validations[index]
    let request = try Validate.parse(arguments).makeRequest(environment())
    #expect(isRight(request), "\(arguments): \(request)")
  }

  private static let thumbnails: [([String], @Sendable (PictureRun) -> Bool)] = [
    (["a"], { $0.settings == PictureSettings() && !$0.isForced && $0.metadata == MetadataRequest(isOptional: true) }),
    (["a", "--kind", "sheet", "--kind", "poster", "--kind", "sheet"], { $0.settings.kinds == [.sheet, .poster] }),
    (["a", "-o", "cover.webp"], { $0.settings.format == .webp }),
    (["a", "-o", "cover.webp", "--image-format", "png"], { $0.settings.format == .png }),
    (["a", "-o", "a.gif", "--kind", "animated"], { $0.settings.animationFormats == [.gif] }),
    (["a", "--width", "640", "--quality", "50"], { $0.settings.width == 640 && $0.settings.quality == 50 }),
    (["a", "--at", "1:02"], { $0.settings.posterSeconds == 62 }),
    (["a", "--fast"], { $0.settings.usesKeyFrames }),
    (["a", "--force"], { $0.isForced }),
    (["a", "--best", "--rally", "3"], { $0.settings.picksBest && $0.metadata == MetadataRequest(rallyIndex: 3) }),
  ]

  @Test(arguments: thumbnails.indices) func thumbs(index: Int) throws {
    let (arguments, isRight) = Self.thumbnails[index]
    let request = try Thumbs.parse(arguments).makeRequest(environment())
    #expect(isRight(request), "\(arguments): \(request)")
  }

  @Test(arguments: [
    ["plan", "a", "--from", "5", "--to", "2"], ["plan", "a", "--at", "1", "--best"], ["plan", "a", "--height", "1"],
    ["plan", "a", "--rally", "1-2"], ["strip", "a", "--in-place", "-o", "b"], ["strip", "a", "--keep-model"],
    ["validate"], ["validate", "a", "--json", "--format", "junit"], ["validate", "a", "-j", "0"],
    ["validate", "a", "--timeout", "0"], ["validate", "a", "--rules", "x"], ["thumbs", "a", "--fast", "--best"],
    ["thumbs", "a", "--rally", "1"], ["thumbs", "a", "--kind", "sheet", "--at", "1"], ["thumbs", "a", "--lines", "2"],
    ["thumbs", "a", "--terminal", "kitty"], ["thumbs", "a", "--show", "--json"],
    ["thumbs", "a", "--show", "--kind", "animated"],
  ])
  func rejectedCombinationIsUsageError(arguments: [String]) throws {
    let error = try #require(throws: (any Error).self) { try BSC.parseAsRoot(arguments) }
    #expect(BSC.exitCode(for: error).rawValue == ExitStatus.usage)
  }
}
