import ClipModel
import ISOMedia
import Privacy
import TestSupport
import Testing

/// Strips unusual movies in memory: everything private is removed, and everything else is kept.
@Suite struct MovieStripTests {
  static let position = "+48.137400+011.575500/"

  private func strip(_ change: (inout SampleMovie) -> Void) throws -> [UInt8] {
    var movie = SampleMovie()
    change(&movie)
    return try Stripper.strip(movie.bytes)
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let text = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: text) }
  }

  // MARK: Refused

  @Test func refusesTracksWithTheSameID() {
    #expect(throws: MovieRewriteError.self) {
      try strip {
        $0.tracks.append(
          SampleMovie.Track(id: 1, handler: "text", format: "text", sizes: [30, 10], data: Array(Self.position.utf8)))
      }
    }
  }

  @Test func refusesSamplesSharedWithARemovedTrack() throws {
    var movie = SampleMovie()
    movie.tracks[0].data = Array(Self.position.utf8)
    movie.tracks.append(SampleMovie.Track(id: 2, handler: "text", format: "text", sizes: [30, 10]))
    var bytes = movie.bytes
    // The second track has the same chunks as the first.
    let table = Array("stco".utf8)
    let tables = bytes.indices.filter { bytes[$0...].starts(with: table) }
    try #require(tables.count == 2)
    bytes.replaceSubrange(tables[1] + 12..<tables[1] + 20, with: bytes[tables[0] + 12..<tables[0] + 20])
    let audit = try Auditor.audit(MemoryBytes(bytes))
    guard audit.mustBeRemoved.contains(where: { $0.carrier.trackIndex == 1 }) else {
      Issue.record("the text was not found: \(audit.found.map(\.carrier))")
      return
    }
    #expect(throws: MovieRewriteError.self) { try Stripper.strip(bytes) }
  }

  @Test(arguments: ["encv", "enca"] as [FourCC]) func refusesEncryptedTracks(format: FourCC) {
    #expect(throws: StripError.self) { try strip { $0.tracks[0].format = format } }
  }

  @Test func refusesEncryptedFragments() {
    let sample: [UInt8] = [
      0xA2, 0x39, 0x4F, 0x52, 0x5A, 0x9B, 0x4F, 0x14, 0xA2, 0x44, 0x6C, 0x42, 0x7C, 0x64, 0x8D, 0xF4,
    ]
    #expect(throws: StripError.self) {
      try strip {
        $0.after = {
          $0.box("moof") { $0.box("traf") { $0.box("uuid", userType: sample) { $0.u64(0xA5A5_A5A5_1234_9876) } } }
        }
      }
    }
  }

  @Test func blanksPositionsInDecoderConfigurations() throws {
    let copy = try strip {
      $0.tracks.append(
        SampleMovie.Track(
          id: 2, handler: "soun", format: "fLaC",
          entryBoxes: { $0.box("dfLa") { $0.text("LOCATION=" + Self.position) } }
        ))
    }
    #expect(!contains(copy, "48.13") && contains(copy, "LOCATION=\0\0"))
    #expect(try #require(try ISOFile.read(copy)).tracks.map(\.trackID) == [1, 2])
  }

  @Test func refusesUnknownVideoFormats() {
    #expect(throws: StripError.self) {
      try strip {
        $0.tracks[0].format = "what"
        $0.tracks[0].entryBoxes = { _ in }
      }
    }
  }

  // MARK: Removed

  @Test(arguments: ["vide", "soun"] as [FourCC]) func removesTextTracksLabeledAsMedia(handler: FourCC)
    throws
  {
    let copy = try strip {
      $0.tracks.append(
        SampleMovie.Track(
          id: 2, handler: handler, format: "tx3g", sizes: [30, 10], entryBoxes: { _ in },
          data: Array(Self.position.utf8)))
    }
    #expect(!contains(copy, "48.13"))
    #expect(try #require(try ISOFile.read(copy)).tracks.map(\.trackID) == [1])
  }

  @Test func blanksHandlerNames() throws {
    var movie = SampleMovie()
    movie.movieBoxes = { moov in
      moov.box("udta") {
        $0.box("meta") {
          $0.fullBox("hdlr") { handler in
            handler.zeros(20)
            handler.text("N 48.137412 E 11.575533\0")
          }
        }
      }
    }
    #expect(!(try Auditor.audit(MemoryBytes(movie.bytes)).mustBeRemoved.isEmpty))
    #expect(!contains(try Stripper.strip(movie.bytes), "48.13"))
  }

  @Test(arguments: ["udta", "meta", "edts", "dinf"] as [FourCC]) func removesBytesAfterTheLastChild(
    parent: FourCC
  ) throws {
    let copy = try strip {
      $0.movieBoxes = { moov in
        moov.box(parent) { box in
          if parent == "meta" { box.fullBox("hdlr") { $0.zeros(21) } }
          box.zeros(8)
          box.text(Self.position)
        }
      }
    }
    #expect(!contains(copy, "48.13"))
  }

  /// Damaged files can have boxes in the wrong parent.
  @Test(arguments: ["trak", "minf", "meco", "traf", "mfra"] as [FourCC], [true, false])
  func removesContentsOfMisplacedBoxes(parent: FourCC, isAtTop: Bool) throws {
    // Inside `moov` it would be a track without an ID.
    if parent == "trak", !isAtTop { return }
    let put: @Sendable (inout BoxWriter) -> Void = { $0.box(parent) { $0.box("le.q") { $0.text(Self.position) } } }
    let copy = try strip { if isAtTop { $0.after = put } else { $0.movieBoxes = put } }
    #expect(!contains(copy, "48.13"))
  }

  @Test func removesFreeSpaceAtEveryDepth() throws {
    let copy = try strip {
      $0.movieBoxes = { moov in
        let hidden: (inout BoxWriter) -> Void = { box in
          box.box("free") { $0.append((0..<90).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ 0xA5) }) }
        }
        moov.box("udta") { udta in
          udta.box("meta") { meta in
            meta.fullBox("hdlr") { $0.zeros(21) }
            hidden(&meta)
          }
        }
        moov.box("edts", hidden)
      }
      $0.after = { $0.box("moof") { moof in moof.box("free") { $0.text(Self.position) } } }
    }
    #expect(!contains(copy, "free") && !contains(copy, "48.13"))
  }

  /// A known position is found in any text, even with fewer decimals.
  @Test func removesAKnownPositionFromATitle() throws {
    let copy = try strip {
      $0.movieBoxes = { moov in
        moov.box("udta") { udta in
          udta.box("©xyz") { $0.international(Self.position) }
          udta.box("©cmt") { $0.international("near 48.1374 or so") }
          udta.box("©nam") { $0.international("Final") }
        }
      }
    }
    #expect(!contains(copy, "48.13") && contains(copy, "Final"))
  }

  @Test(arguments: [
    ("48.137412, 11.575533", true), ("48,137412 11,575533", true), ("-33.856784;151.215297", true),
    ("https://www.openstreetmap.org/#map=19/48.137412/11.575533", true),
    ("25-23, 25-21", false), ("48.1, 11.5", false), ("version 1.234567", false), ("1.5000, 2.5000", false),
  ])
  func removesUnlabeledPairs(text: String, isPosition: Bool) throws {
    var movie = SampleMovie()
    movie.movieBoxes = { $0.box("udta") { $0.box("©cmt") { $0.international(text) } } }
    #expect(try Auditor.audit(MemoryBytes(movie.bytes)).mustBeRemoved.isEmpty == !isPosition)
  }

  // MARK: Kept

  @Test func keepsUnnamedItems() throws {
    let copy = try strip {
      $0.movieBoxes = { moov in
        moov.box("meta") { meta in
          meta.fullBox("hdlr") { $0.zeros(20) }
          meta.fullBox("keys") { keys in
            keys.u32(2)
            keys.box("mdta") { $0.text("com.apple.quicktime.location.ISO6709") }
            keys.box("mdta") { $0.text("com.apple.quicktime.title") }
          }
          func item(_ type: FourCC, _ text: String, _ list: inout BoxWriter) {
            list.box(type) {
              $0.box("data") { data in
                data.zeros(8)
                data.text(text)
              }
            }
          }
          meta.box("ilst") { list in
            item(FourCC(1), Self.position, &list)
            item("©nam", "Mein Titel", &list)
            item(FourCC(2), "Final", &list)
          }
        }
      }
    }
    #expect(!contains(copy, "48.13") && !contains(copy, "location"))
    #expect(contains(copy, "Mein Titel") && contains(copy, "Final"))
    let source = MemoryBytes(copy)
    let movie = try #require(try ISOFile.read(copy)?.topLevelBoxes.first { $0.type == "moov" })
    var reader = BoxReader(source: source, childrenOf: movie)
    let meta = try #require(try reader.remainingBoxes().first { $0.type == "meta" })
    let metadata = try MetadataItems(meta: meta, in: source)
    #expect(metadata.items.map(\.name) == ["com.apple.quicktime.title"])
    #expect(metadata.unnamed.map(\.type) == ["©nam"])
  }

  /// In fixed point, a whole degree equals the 1 of a matrix.
  @Test func wholeDegreesAreNotMatchedInMatrices() throws {
    let copy = try strip {
      $0.movieBoxes = { $0.box("udta") { $0.box("©xyz") { $0.international("+01.0000+002.0000/") } } }
    }
    #expect(!contains(copy, "01.0000"))
  }
}

extension BoxWriter {
  /// User data text: its length, the language (undetermined), UTF-8.
  mutating func international(_ text: String) {
    u16(UInt16(text.utf8.count))
    u16(0x55C4)
    self.text(text)
  }
}
