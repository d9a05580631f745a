import ClipModel
import ISOMedia
import Privacy
import TestSupport
import Testing

@Suite struct MovieAuditTests {
  /// A carrier as cameras write it, with the expected kind and place.
  struct Case: Sendable, CustomTestStringConvertible {
    var kind: String
    var place: String
    var change: @Sendable (inout SampleMovie) -> Void

    var testDescription: String { "\(kind) at \(place)" }

    init(_ kind: String, _ place: String, _ change: @escaping @Sendable (inout SampleMovie) -> Void) {
      self.kind = kind
      self.place = place
      self.change = change
    }
  }

  static let position = "+37.7600-122.5100/"
  static let xmp: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  /// A TIFF header and a directory with only the offset of the GPS directory.
  static let exif: [UInt8] =
    [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]

  static let cases: [Case] = [
    Case("quicktime-xyz", "moov/udta/©xyz") { $0.movieBoxes = { $0.box("udta") { $0.box("©xyz") { $0.zeros(4) } } } },
    Case("quicktime-xyz", "moov/trak/udta/©xyz") { $0.tracks[0].userData = { $0.box("©xyz") } },
    Case("3gpp-loci", "moov/udta/loci") { $0.movieBoxes = { $0.box("udta") { $0.box("loci") { $0.zeros(20) } } } },
    Case("itunes-xyz", "moov/udta/meta/ilst/©xyz") {
      $0.movieBoxes = { $0.box("udta") { $0.fullBox("meta") { $0.box("ilst") { $0.box("©xyz") } } } }
    },
    Case("apple-iso6709", "moov/meta/ilst/com.apple.quicktime.location.ISO6709") {
      $0.movieBoxes = { keyed("com.apple.quicktime.location.ISO6709", to: &$0) }
    },
    Case("apple-location", "moov/meta/ilst/com.apple.quicktime.location.accuracy.horizontal") {
      $0.movieBoxes = { keyed("com.apple.quicktime.location.accuracy.horizontal", to: &$0) }
    },
    Case("iso6709-text", "moov/meta/ilst/com.apple.quicktime.comment") {
      $0.movieBoxes = { keyed("com.apple.quicktime.comment", value: position, to: &$0) }
    },
    Case("xmp-gps", "uuid") { $0.before = { $0.box("uuid", userType: xmp) { $0.text("<a exif:GPSLatitude='1'/>") } } },
    Case("xmp-gps", "moov/udta/XMP_") {
      $0.movieBoxes = { $0.box("udta") { $0.box("XMP_") { $0.text("<exif:GPSLatitude>") } } }
    },
    Case("exif-gps", "uuid") {
      $0.before = { $0.box("uuid", userType: Array("JpgTiffExif->JP2".utf8)) { $0.append(exif) } }
    },
    Case("exif-gps", "moov/udta/thmb") {
      $0.movieBoxes = {
        $0.box("udta") {
          $0.box("thmb") { box in
            box.text("....Exif\0\0")
            box.append(exif)
          }
        }
      }
    },
    Case("gopro-gpmf", "moov/udta/GPMF") {
      $0.movieBoxes = { $0.box("udta") { $0.box("GPMF") { $0.text("STRMGPS5") } } }
    },
    Case("70mai-gps", "GPS ") { $0.after = { $0.box("GPS ") { $0.zeros(40) } } },
    Case("novatek-freegps", "moov/gps ") { $0.movieBoxes = { $0.box("gps ") { $0.zeros(16) } } },
    Case("dudubell-gps", "gps0") { $0.after = { $0.box("gps0") { $0.zeros(16) } } },
    Case("blackvue-gps", "free") {
      $0.after = {
        $0.box("free") { box in
          box.box("cprt") { $0.zeros(4) }
          box.box("gps ") { $0.text("[1]$GPRMC,") }
        }
      }
    },
    Case("novatek-freegps", "free") { $0.after = { $0.box("free") { $0.text("GPS \0\0\0\0") } } },
    Case("iso6709-text", "free") { $0.before = { $0.box("free") { $0.text("\0\0" + position) } } },
    Case("nmea-text", "skip") { $0.after = { $0.box("skip") { $0.text("xxxx$GPRMC,1") } } },
    Case("iso6709-text", "moof/traf/what") {
      $0.after = { $0.box("moof") { $0.box("traf") { $0.box("what") { $0.text(position) } } } }
    },
    Case("iso6709-text", "after the last box (samsung)") {
      $0.after = { $0.append([0, 0, 1, 0, 0, 0, 0, 9] + position.utf8 + Array("SEFT".utf8)) }
    },
  ]

  static func keyed(_ key: String, value: String = "x", to moov: inout BoxWriter) {
    moov.box("meta") { meta in
      meta.fullBox("hdlr") { $0.zeros(20) }
      meta.fullBox("keys") { keys in
        keys.u32(1)
        keys.box("mdta") { $0.text(key) }
      }
      meta.box("ilst") {
        $0.box(FourCC(1)) {
          $0.box("data") { box in
            box.zeros(8)
            box.text(value)
          }
        }
      }
    }
  }

  @Test(arguments: cases)
  func findsTheCarrier(test: Case) throws {
    var movie = SampleMovie()
    test.change(&movie)
    let bytes = movie.bytes
    let carriers = try Auditor.audit(MemoryBytes(bytes)).mustBeRemoved.map(\.carrier)
    #expect(carriers.map(\.kind) == [test.kind])
    #expect(carriers.map(\.place) == [test.place])
    let range = try #require(carriers.first?.byteRange)
    #expect(range.lowerBound >= 0 && range.upperBound <= bytes.count && !range.isEmpty)
  }

  /// Some cameras write a date only into a track.
  @Test(arguments: ["mvhd", "tkhd", "mdhd"], [4, 8])
  func findsADateInEveryHeader(header: String, offset: Int) throws {
    let bytes = SampleMovie().bytes
    let start = try #require(bytes.firstRange(of: Array(header.utf8)))
    let dates = { (bytes: [UInt8]) in
      try Auditor.audit(MemoryBytes(bytes)).found.filter { $0.carrier.disclosure == .date }.map(\.carrier.place)
    }
    var cleared = bytes
    for type in ["mvhd", "tkhd", "mdhd"] {
      let range = try #require(cleared.firstRange(of: Array(type.utf8)))
      for index in 4..<12 { cleared[range.upperBound + index] = 0 }
    }
    #expect(try dates(cleared) == [])
    cleared[start.upperBound + offset] = 0xE0
    let found = try dates(cleared)
    #expect(found.count == 1 && found.first?.hasSuffix(header) == true)
    var options = StripOptions()
    options.removesDates = true
    #expect(try dates(Stripper.strip(cleared, options: options)) == [])
  }

  // MARK: Timed carriers

  static func boxed(_ keys: [String]) -> @Sendable (inout BoxWriter) -> Void {
    { entry in
      entry.box("keys") { list in
        for (index, key) in keys.enumerated() {
          list.box(FourCC(UInt32(index + 1))) { $0.box("keyd") { $0.text("mdta" + key) } }
        }
      }
    }
  }

  /// Tests that samples are examined. `TimedMetadataTests` tests the formats.
  @Test(arguments: [
    ("meta", "what", "timed-metadata"), ("camm", "camm", "google-camm"), ("meta", "djmd", "dji-djmd"),
    ("tmcd", "tmcd", nil), ("soun", "mp4a", nil), ("vide", "what", nil),
  ])
  func readsSamplesOfDataTracks(handler: FourCC, format: FourCC, kind: String?) throws {
    var movie = SampleMovie()
    movie.tracks.append(SampleMovie.Track(id: 7, handler: handler, format: format))
    let carriers = try Auditor.audit(MemoryBytes(movie.bytes)).mustBeRemoved.map(\.carrier)
    #expect(carriers.map(\.kind) == (kind.map { [$0] } ?? []))
    #expect(carriers.map(\.place) == (kind == nil ? [] : ["track 7 (\(format))"]))
    #expect(carriers.map(\.trackIndex) == (kind == nil ? [] : [1]))
  }

  @Test(
    arguments: [
      (["com.apple.quicktime.location.ISO6709"], "apple-mebx"),
      (["com.apple.quicktime.detected-face", "com.apple.quicktime.location.ISO6709"], "apple-mebx"),
      (["com.apple.quicktime.video-orientation", "com.apple.quicktime.still-image-time"], nil),
      (["com.example.something"], "apple-mebx-unknown"), ([], "apple-mebx-unknown"),
    ] as [([String], String?)])
  func classifiesAppleTracksByTheirKeys(keys: [String], kind: String?) throws {
    var movie = SampleMovie()
    movie.tracks.append(
      SampleMovie.Track(
        id: 2, handler: "meta", format: "mebx", sizes: [9, 9], entryBoxes: Self.boxed(keys),
        data: [0, 0, 0, 9, 0, 0, 0, 1, 7, 0, 0, 0, 9, 0, 0, 0, 1, 8]))
    #expect(try Auditor.audit(MemoryBytes(movie.bytes)).mustBeRemoved.map(\.carrier.kind) == (kind.map { [$0] } ?? []))
  }

  @Test(arguments: [
    ("GPS(149.0251,-20.2532,16)", "position-text", true),
    ("[latitude: 22.5412] [longitude: 113.9]", "position-text", true), (position, "iso6709-text", true),
    ("The GPS is broken, turn left at +12", "", false), ("Score 25-23, 12.50 apart", "", false),
  ])
  func reportsOnlySubtitlesWithPositions(text: String, kind: String, isCarrier: Bool) throws {
    var movie = SampleMovie()
    movie.tracks.append(
      SampleMovie.Track(
        id: 2, handler: "sbtl", format: "tx3g", sizes: [40, 10], data: Array("\0\u{28}\(text)".utf8)))
    #expect(try Auditor.audit(MemoryBytes(movie.bytes)).mustBeRemoved.map(\.carrier.kind) == (isCarrier ? [kind] : []))
  }
}
