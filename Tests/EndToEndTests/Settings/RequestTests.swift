import ArgumentParser
import ClipModel
import Foundation
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

  @Test(arguments: [["--allow-no-metadata", "a.mp4"], ["--together", "a.mp4", "b.mp4"]])
  func unsupportedOptionsAreRefused(arguments: [String]) throws {
    let share = try Share.parse(arguments)
    #expect(throws: CommandFailure.self) { try share.makeRequest(environment(backend: "mux")) }
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
}
