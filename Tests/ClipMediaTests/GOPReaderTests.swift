import ClipModel
import ISOMedia
import Testing

@testable import ClipMedia

/// Groups of pictures from an index without file access; ticks of a tenth of a second.
@Suite struct GOPReaderTests {
  private static func facts(_ frames: [(isKey: Bool, byteCount: Int64)], end: Double) throws -> GOPProperties {
    var position: Int64 = 0
    let entries = frames.enumerated().map { index, frame in
      defer { position += frame.byteCount }
      return GOPReader.IndexEntry(
        ticks: Int64(index), isKeyFrame: frame.isKey, byteRange: position..<position + frame.byteCount)
    }
    return try #require(
      try GOPReader(entries: entries, tickSeconds: 0.1, startSeconds: 0, durationSeconds: end, units: nil)
        .readProperties(
          in: nil))
  }

  @Test func groupsHaveLengthsAndRates() throws {
    let group = [(true, Int64(1000))] + Array(repeating: (false, Int64(100)), count: 9)
    let facts = try Self.facts(group + group, end: 2)
    #expect(facts.keyFrameCount == 2 && facts.longestSeconds == 1 && facts.averageSeconds == 1)
    #expect(facts.highestBitsPerSecond == 15_200)
    #expect(facts.isClosed == nil)
  }

  /// Short groups are merged, so that many in a row count as a burst.
  @Test func burstsOfShortGroupsAreMeasured() throws {
    let quiet = [(true, Int64(100))] + Array(repeating: (false, Int64(100)), count: 79)
    let burst = Array(repeating: (true, Int64(250_000)), count: 10)
    let rate = try #require(try Self.facts(quiet + burst, end: 9).highestBitsPerSecond)
    #expect((19_000_000...21_000_000).contains(rate), "\(rate)")
  }

  /// The rest after the last key frame is too short for a rate.
  @Test func shortRestsAreIgnored() throws {
    let group = [(true, Int64(1000))] + Array(repeating: (false, Int64(100)), count: 9)
    #expect(try Self.facts(group + [(true, 1_000_000)], end: 1.1).highestBitsPerSecond == 15_200)
  }

  /// Frames before the first key frame count as an open group.
  @Test func framesBeforeTheFirstKeyFrameAreAnOpenGroup() throws {
    let facts = try Self.facts(
      Array(repeating: (false, Int64(100)), count: 30) + [(true, 100)] + Array(repeating: (false, 100), count: 9),
      end: 4)
    #expect(facts.isClosed == false && facts.longestSeconds == 3)
  }
}
