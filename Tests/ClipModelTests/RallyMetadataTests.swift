import ClipModel
import Foundation
import Testing

@Suite struct RallyMetadataTests {
  static let now = Date(timeIntervalSince1970: 1_780_000_000)  // 28 May 2026

  static func read(_ sidecar: RallySidecar, fileName: String? = nil) -> (metadata: RallyMetadata?, findings: [Finding])
  {
    RallyMetadata.read(bytes: sidecar.bytes, fileName: fileName, now: now)
  }

  static func row(_ finding: Finding) -> Int? { RallyCheck(rawValue: finding.rule)?.row }

  // MARK: Shared test cases

  @Test(.enabled(if: !SharedMetadata.entries.isEmpty), arguments: SharedMetadata.entries)
  func hasTheExpectedVerdict(entry: SharedMetadata.Index.Entry) throws {
    let name = try #require(entry.file.split(separator: "/").last.map(String.init))
    let (metadata, found) = RallyMetadata.read(
      bytes: try SharedMetadata.bytes(of: entry.file), fileName: name, now: Self.now)
    let ranges = metadata.map { RallyRules(metadata: $0, fileSeconds: entry.sourceDuration).rallyRangeFindings() } ?? []
    let findings = (found + ranges).filter { $0.severity > .info }
    let worst = findings.map(\.severity).max()
    #expect((worst?.rawValue ?? "valid") == entry.expect, "\(findings)")
    if entry.expect != "valid" {
      // No other check has findings.
      #expect(Set(findings.compactMap(Self.row)) == [try #require(entry.check)], "\(findings)")
    }
    if entry.file.hasSuffix("confidence-out-of-range.json") { #expect(findings.count == 2) }
  }

  @Test(.enabled(if: !SharedMetadata.entries.isEmpty))
  func matchHasTheExpectedChoices() throws {
    let metadata = try #require(
      RallyMetadata.read(bytes: try SharedMetadata.bytes(of: "valid-match.json"), now: Self.now).metadata)
    let rules = RallyRules(metadata: metadata, fileSeconds: 180)
    let choices = metadata.segments.indices.map { rules.chooseRally(index: $0) }
    #expect(choices.map { $0.rally != nil } == [true, true, false, false, true])
    #expect(choices[2].findings.map(\.rule) == ["rally.length"])
    #expect(choices[3].findings.map(\.rule) == ["rally.length"])
  }

  // MARK: Individual checks

  static let findings: [(String, @Sendable (inout RallySidecar) -> Void, [String])] = [
    ("valid", { _ in }, []),
    ("id", { $0.id = "\"x\"" }, ["rally.id id"]),
    ("id missing a type", { $0.id = "7" }, ["rally.value id"]),
    ("null id", { $0.videoID = "null" }, ["rally.value videoId"]),
    ("date", { $0.date = "\"2026-02-20 00:00:00Z\"" }, ["rally.value processingDate"]),
    ("date without zone", { $0.date = "\"2026-02-20T00:00:00\"" }, ["rally.value processingDate"]),
    ("date with fraction", { $0.date = "\"2026-02-20T00:00:00.123Z\"" }, []),
    ("date with offset", { $0.date = "\"2026-02-20T00:00:00+02:00\"" }, []),
    ("date in the future", { $0.date = "\"2031-01-01T00:00:00Z\"" }, ["rally.date processingDate"]),
    ("version", { $0.more = ", \"processingVersion\": \"2.0\"" }, ["rally.version processingVersion"]),
    (
      "clock ran backward",
      {
        $0.more =
          ", \"performanceMetrics\": {\"processingStartTime\": \"2025-01-02T00:00:00Z\", "
          + "\"processingEndTime\": \"2025-01-01T00:00:00Z\"}"
      }, ["rally.date performanceMetrics.processingEndTime"]
    ),
    ("unused values", { $0.more = ", \"processingStats\": \"none\", \"eventLog\": [{\"type\": 5}]" }, []),
    ("3.0 is an integer", { $0.segments[0].count = "3.0" }, []),
    ("3.5 is not an integer", { $0.segments[0].count = "3.5" }, ["rally.value rallySegments[0].detectionCount"]),
    ("true is not an integer", { $0.segments[0].count = "true" }, ["rally.value rallySegments[0].detectionCount"]),
    ("a string is not a number", { $0.segments[0].end = "\"9.5\"" }, ["rally.value rallySegments[0].endTime"]),
    ("overflow", { $0.segments[0].quality = "1e400" }, ["rally.value rallySegments[0].quality"]),
    ("NaN", { $0.segments[0].quality = "NaN" }, ["rally.json rallySegments[0].quality"]),
    ("rounded mean", { $0.segments[0].quality = "1.0000000005" }, []),
    ("score", { $0.segments[0].confidence = "-0.1" }, ["rally.score rallySegments[0].confidence"]),
    ("length", { $0.segments[0].length = "-1" }, ["rally.count rallySegments[0].averageTrajectoryLength"]),
    (
      "zeros are allowed",
      {
        $0.segments[0].confidence = "0"
        $0.segments[0].quality = "0"
        $0.segments[0].count = "0"
      }, ["rally.no-samples rallySegments[0]"]
    ),
    (
      "several problems",
      {
        $0.videoID = "\"x\""
        $0.segments[0].start = "-1"
        $0.segments[0].quality = "2"
        $0.segments[0].count = "\"many\""
      },
      [
        "rally.id videoId", "rally.value rallySegments[0].detectionCount", "rally.times rallySegments[0].startTime",
        "rally.score rallySegments[0].quality",
      ]
    ),
    ("same times", { $0.segments.append(RallySidecar.Segment()) }, ["rally.overlap rallySegments[1]"]),
    (
      "overlap with an earlier rally",
      {
        $0.segments = [
          RallySidecar.Segment(start: "0", end: "50"), RallySidecar.Segment(start: "60", end: "70"),
          RallySidecar.Segment(start: "65", end: "80"),
        ]
      }, ["rally.overlap rallySegments[2].startTime"]
    ),
    ("adjacent rallies do not overlap", { $0.segments.append(RallySidecar.Segment(start: "9.5", end: "14")) }, []),
    ("bsc", { $0.more = ", \"bsc\": {\"mode\": \"clip\", \"sourceRallyIndex\": 3}" }, []),
    ("bsc without index", { $0.more = ", \"bsc\": {\"mode\": \"clip\"}" }, ["rally.value bsc.sourceRallyIndex"]),
    (
      "bsc with another mode", { $0.more = ", \"bsc\": {\"mode\": \"source\", \"sourceRallyIndex\": 3}" },
      ["rally.value bsc.mode"]
    ),
    ("duplicate key", { $0.more = ", \"id\": 5" }, ["rally.json id"]),
  ]

  @Test(arguments: findings.map(\.0))
  func hasExactlyTheExpectedFindings(name: String) throws {
    let (_, change, expected) = try #require(Self.findings.first { $0.0 == name })
    var sidecar = RallySidecar()
    change(&sidecar)
    let (metadata, findings) = Self.read(sidecar)
    #expect(findings.map { "\($0.rule) \($0.place ?? "")" } == expected)
    // Unusable metadata is either missing or has an error.
    if metadata == nil { #expect(findings.contains { $0.severity == .error }) }
  }

  @Test func valuesAreRead() throws {
    var sidecar = RallySidecar()
    sidecar.more = ", \"bsc\": {\"mode\": \"clip\", \"sourceRallyIndex\": 3}"
    let metadata = try #require(Self.read(sidecar).metadata)
    #expect(metadata.videoID == UUID(uuidString: "9C1D7E20-AB12-4F34-8C56-7890ABCDEF12"))
    #expect(metadata.processingVersion == "1.0")
    #expect(metadata.processingDate == Date(timeIntervalSince1970: 1_764_407_100))
    #expect(metadata.sourceRallyIndex == 3)
    #expect(metadata.segments.map(\.startTime) == [2.0])
    #expect(metadata.segments.map(\.endTime) == [9.5])
    #expect(metadata.segments.map(\.detectionCount) == [21])
  }

  @Test(arguments: [
    ("9c1d7e20-ab12-4f34-8c56-7890abcdef12.json", 0), ("clip.json", 0),
    ("01DFACE0-1111-4222-8333-444455556666.json", 1),
  ])
  func fileNamedAfterAnotherVideoIsRejected(name: String, count: Int) {
    let findings = Self.read(RallySidecar(), fileName: name).findings
    #expect(findings.filter { $0.rule == "rally.file-name" && $0.severity == .error }.count == count)
  }
}
