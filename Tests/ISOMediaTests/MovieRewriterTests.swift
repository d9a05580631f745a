import ClipModel
import ISOMedia
import TestSupport
import Testing

/// Rewrites movies: removed parts are gone, and kept parts are the same, for all formats of offsets.
@Suite struct MovieRewriterTests {
  /// A movie whose tracks have different sample data.
  static func movie(_ change: (inout SampleMovie) -> Void = { _ in }) -> SampleMovie {
    var movie = SampleMovie()
    movie.tracks[0].data = (0..<100).map { UInt8($0) }
    movie.tracks.append(
      SampleMovie.Track(
        id: 2, handler: "meta", format: "gpmd", sizes: [7, 9], data: [UInt8](repeating: 0xEE, count: 16)))
    movie.tracks.append(
      SampleMovie.Track(
        id: 3, handler: "soun", format: "mp4a", sizes: [5, 5, 5], data: [UInt8](repeating: 0xAA, count: 15)))
    change(&movie)
    return movie
  }

  static func rewritten(_ bytes: [UInt8], alignment: Int64 = 1, _ edits: MovieEdits) throws -> [UInt8] {
    let source = MemoryBytes(bytes)
    let file = try #require(try ISOFile.read(from: source))
    var rewriter = MovieRewriter(source: source, file: file, edits: edits, name: "clip.mp4", alignment: alignment)
    return try rewriter.makePieces().reduce(into: []) { result, piece in
      switch piece {
      case .bytes(let bytes): result += bytes
      case .copy(let range): result += source.bytes(at: range.lowerBound, count: range.count)
      }
    }
  }

  static func samples(_ bytes: [UInt8], track id: UInt32) throws -> [[UInt8]] {
    let source = MemoryBytes(bytes)
    let file = try #require(try ISOFile.read(from: source))
    let track = try #require(file.tracks.first { $0.trackID == id })
    var samples: [[UInt8]] = []
    try file.forEachSample(of: track, in: source) { range in
      samples.append(source.bytes(at: range.lowerBound, count: range.count))
      return true
    }
    return samples
  }

  @Test(arguments: [true, false], [true, false])
  func removedTrackIsGoneWithItsSamples(isFastStart: Bool, isWide: Bool) throws {
    let bytes = Self.movie {
      $0.isFastStart = isFastStart
      for index in $0.tracks.indices { $0.tracks[index].uses64BitOffsets = isWide }
    }.bytes
    var edits = MovieEdits()
    edits.removedTracks = [2]
    let copy = try Self.rewritten(bytes, edits)
    #expect(try Self.samples(copy, track: 1) == Self.samples(bytes, track: 1))
    #expect(try Self.samples(copy, track: 3) == Self.samples(bytes, track: 3))
    #expect(!copy.contains(0xEE))
    let file = try #require(try ISOFile.read(copy))
    #expect(file.tracks.map(\.trackID) == [1, 3])
    #expect(file.anomalies.isEmpty)
    #expect(file.isFastStart == isFastStart)
  }

  @Test func rewritingWithoutEditsChangesNothing() throws {
    let bytes = Self.movie().bytes
    #expect(try Self.rewritten(bytes, MovieEdits()) == bytes)
  }

  @Test func bytesOutsideSamplesAreRemoved() throws {
    let bytes = Self.movie {
      $0.before = { $0.box("free") { $0.text("secret") } }
      $0.movieBoxes = { moov in moov.box("udta") { $0.box("skip") { $0.text("secret") } } }
      $0.after = { after in
        after.box("mdat") { $0.text("secret") }
        after.box("wide") { $0.text("secret") }
        after.append(Array("\u{1}\u{2}secret".utf8))
      }
    }.bytes
    let copy = try Self.rewritten(bytes, MovieEdits())
    #expect(!String(decoding: copy, as: UTF8.self).contains("secret"))
    #expect(try Self.samples(copy, track: 1) == Self.samples(bytes, track: 1))
  }

  @Test func trailerIsKeptOnRequest() throws {
    let bytes = Self.movie { $0.after = { $0.append([0, 0, 1, 0, 7, 7] + Array("SEFT".utf8)) } }.bytes
    var edits = MovieEdits()
    edits.keepsTrailer = true
    #expect(try Self.rewritten(bytes, edits).suffix(10) == bytes.suffix(10))
    edits.keepsTrailer = false
    #expect(try Self.rewritten(bytes, edits) == Array(bytes.dropLast(10)))
  }

  @Test func cutsOnlyShortenTheirSamples() throws {
    let bytes = Self.movie().bytes
    let source = MemoryBytes(bytes)
    let file = try #require(try ISOFile.read(from: source))
    var ranges: [Range<Int64>] = []
    try file.forEachSample(of: file.tracks[0], in: source) { range in
      ranges.append(range)
      return true
    }
    var edits = MovieEdits()
    // The middle of the second sample is replaced by two bytes, and the third sample is removed.
    let second = ranges[1].lowerBound
    edits.cuts = [
      MovieEdits.Cut(second + 4..<second + 14, replacement: [0xFE, 0xFF]), MovieEdits.Cut(ranges[2]),
    ]
    let copy = try Self.rewritten(bytes, edits)
    let before = try Self.samples(bytes, track: 1)
    let cut = Array(before[1].prefix(4) + [0xFE, 0xFF] + before[1].suffix(6))
    #expect(try Self.samples(copy, track: 1) == [before[0], cut, [], before[3]])
    #expect(try Self.samples(copy, track: 2) == Self.samples(bytes, track: 2))
    #expect(try Self.samples(copy, track: 3) == Self.samples(bytes, track: 3))
  }

  @Test func datesAreCleared() throws {
    let bytes = Self.movie { $0.creationTime = 3_800_000_000 }.bytes
    var edits = MovieEdits()
    edits.clearsDates = true
    #expect(try #require(try ISOFile.read(bytes)).creationDate != nil)
    #expect(try #require(try ISOFile.read(Self.rewritten(bytes, edits))).creationDate == nil)
  }

  /// File systems can share blocks that are aligned equally in both files. Short spans get no padding.
  @Test(arguments: [512, 4096] as [Int64], [true, false]) func longSpansKeepTheirAlignment(
    alignment: Int64, isLong: Bool
  ) throws {
    let size: UInt32 = isLong ? 300_000 : 3000
    let bytes = Self.movie {
      $0.tracks[0] = SampleMovie.Track(sizes: [size, 10], data: (0..<size).map { UInt8(truncatingIfNeeded: $0 % 251) })
      $0.tracks[2] = SampleMovie.Track(
        id: 3, handler: "soun", format: "mp4a", sizes: [size, 5],
        data: (0..<size).map { UInt8(truncatingIfNeeded: $0 % 13) })
      $0.movieBoxes = { $0.box("udta") { $0.box("©xyz") { $0.zeros(50) } } }
    }.bytes
    let source = MemoryBytes(bytes)
    let file = try #require(try ISOFile.read(from: source))
    var edits = MovieEdits()
    // The track between the others is removed, so that the data after it moves.
    edits.removedTracks = [2]
    let copy = try Self.rewritten(bytes, alignment: alignment, edits)
    for id in [1, 3] as [UInt32] { #expect(try Self.samples(copy, track: id) == Self.samples(bytes, track: id)) }
    let before = try #require(try file.sampleRanges(in: source) { edits.removedTracks.contains($0) == false })
    let after = try #require(try ISOFile.read(copy)?.sampleRanges(in: MemoryBytes(copy)))
    #expect(before.count == 2)
    if isLong {
      #expect(before.map { $0.lowerBound % alignment } == after.map { $0.lowerBound % alignment })
      #expect(copy.count < bytes.count + 2 * Int(alignment))
    } else {
      #expect(copy.count < bytes.count)
    }
  }

  @Test func defaultsOfARemovedTrackAreRemoved() throws {
    let bytes = Self.movie {
      $0.movieBoxes = { moov in
        moov.box("mvex") { mvex in
          for id in [1, 2] as [UInt32] {
            mvex.fullBox("trex") { box in
              box.u32(id)
              box.zeros(16)
            }
          }
        }
      }
    }.bytes
    var edits = MovieEdits()
    edits.removedTracks = [2]
    let trex = Array("trex".utf8)
    func count(_ bytes: [UInt8]) -> Int { bytes.indices.count { bytes[$0...].starts(with: trex) } }
    #expect(count(bytes) == 2)
    #expect(count(try Self.rewritten(bytes, edits)) == 1)
  }

  // MARK: Unsupported files

  @Test func truncatedFileIsRejected() throws {
    let bytes = Self.movie().bytes
    let cut = Array(bytes.dropLast(8))
    #expect(throws: MovieRewriteError.truncated(name: "clip.mp4", missingByteCount: 8)) {
      try Self.rewritten(cut, MovieEdits())
    }
  }

  @Test func samplesOutsideMdatAreRejected() throws {
    // The data is in a box of another type, so its samples would be lost.
    var bytes = Self.movie().bytes
    let mdat = Array("mdat".utf8)
    let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: mdat) })
    bytes[offset] = UInt8(ascii: "x")
    #expect(throws: MovieRewriteError.damaged(name: "clip.mp4", why: "some samples are outside the mdat boxes")) {
      try Self.rewritten(bytes, MovieEdits())
    }
  }

  @Test func encryptedFileIsRejected() throws {
    let bytes = Self.movie { $0.movieBoxes = { $0.fullBox("saio") { $0.zeros(8) } } }.bytes
    #expect(
      throws: MovieRewriteError.unsupported(name: "clip.mp4", why: "moov/saio: encrypted media is not supported")
    ) {
      try Self.rewritten(bytes, MovieEdits())
    }
  }
}
