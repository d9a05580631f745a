import ClipModel
import ISOMedia
import Privacy
import TestSupport
import Testing

/// The audit finds, and a strip removes, a position in every encoding anywhere in a movie except in video and audio.
@Suite struct PositionRemovalTests {
  struct Form: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

    var testDescription: String { name }
  }

  /// Encodings that are always recognized. All are 33.1268, -117.3273.
  static let texts = [
    Form("ISO 6709", "+33.1268-117.3273/"), Form("decimal", "33.126800, -117.327300"),
    Form("hemispheres", "N33.12680 W117.32730"), Form("degree signs", "33°07'36.5\"N 117°19'38.3\"W"),
    Form("NMEA", "$GPRMC,082138,A,3307.6080,N,11719.6380,W,012.5,87.86,050213,,,A"),
    Form("JSON", #"{"latitude":33.1268,"longitude":-117.3273}"#),
    Form("E7 text", #""latitudeE7": 331268000,"longitudeE7": -1173273000"#),
    Form("Exif", exif(isLittle: true)), Form("Exif, big-endian", exif(isLittle: false)),
  ]

  /// Encodings that are recognized only if the position is already known.
  static let numbers: [Form] = [true, false].flatMap { isLittle in
    let order = isLittle ? "little" : "big"
    func words<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
      values.flatMap { value in
        let bytes = (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isLittle ? bytes : bytes.reversed()
      }
    }
    let position = [33.1268, -117.3273]
    return [
      Form("E5 \(order)", words(position.map { Int32(($0 * 1e5).rounded()) })),
      Form("E6 \(order)", words(position.map { Int32(($0 * 1e6).rounded()) })),
      Form("E7 \(order)", words(position.map { Int32(($0 * 1e7).rounded()) })),
      Form("semicircles \(order)", words(position.map { Int32(($0 / 180 * 0x8000_0000).rounded()) })),
      Form("floats \(order)", words(position.map { Float($0).bitPattern })),
      Form("doubles \(order)", words(position.map(\.bitPattern))),
      Form("rationals \(order)", words([331_268, 10_000, 0, 1, 0, 1, 1_173_273, 10_000, 0, 1, 0, 1] as [UInt32])),
    ]
  }

  private static func exif(isLittle: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isLittle ? bytes : bytes.reversed()
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value
    }
    return Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
      + number(1, 2) + entry(0x8825, 4, 1, number(26, 4)) + number(0, 4)
      + number(4, 2) + entry(1, 2, 2, [0x4E, 0, 0, 0]) + entry(2, 5, 1, number(80, 4))
      + entry(3, 2, 2, [0x57, 0, 0, 0]) + entry(4, 5, 1, number(88, 4)) + number(0, 4)
      + number(331_268, 4) + number(10_000, 4) + number(1_173_273, 4) + number(10_000, 4)
  }

  struct Place: Sendable, CustomTestStringConvertible {
    var name: String
    /// Inserts the bytes.
    var insert: @Sendable ([UInt8], inout SampleMovie) -> Void

    init(_ name: String, _ insert: @escaping @Sendable ([UInt8], inout SampleMovie) -> Void) {
      (self.name, self.insert) = (name, insert)
    }

    var testDescription: String { name }

    static func samples(_ name: String, handler: FourCC, format: FourCC, lead: [UInt8] = []) -> Place {
      Place(name) { bytes, movie in
        let sample = lead + bytes
        movie.tracks.append(
          SampleMovie.Track(
            id: 5, handler: handler, format: format, sizes: [UInt32(sample.count), 8], entryBoxes: { _ in },
            data: sample))
      }
    }

    static func unit(_ name: String, _ head: [UInt8]) -> Place {
      Place(name) { bytes, movie in
        let body = head + escaped(bytes) + [0x80]
        let unit = [0, 0, UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
        movie.tracks[0].data = unit + [0, 0, 0, 4, 0x65, 0x88, 0x80, 0x40]
        movie.tracks[0].sizes = [UInt32(movie.tracks[0].data.count), 0, 0, 0]
      }
    }

    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
      var (result, zeros): ([UInt8], Int) = ([], 0)
      for byte in bytes {
        if zeros >= 2, byte <= 3 {
          result.append(3)
          zeros = 0
        }
        zeros = byte == 0 ? zeros + 1 : 0
        result.append(byte)
      }
      return result
    }
  }

  private static let camera = Array("GPRO\0\0\0\0HD9.01.01.60\0\0\0C3441325\0".utf8)

  /// Boxes that are removed with their contents.
  static let removable = [
    Place("before the first sample") { $1.mediaHeader = camera + $0 + [0xA5, 1] },
    Place("before the first sample, alone") { $1.mediaHeader = $0 },
    .samples("fdsc", handler: "fdsc", format: "fdsc", lead: camera),
    .samples("time code", handler: "tmcd", format: "tmcd"),
    .samples("captions", handler: "clcp", format: "c608"),
    .samples("text", handler: "text", format: "text", lead: [0, 0]),
    Place("orientation") { bytes, movie in
      let sample = [0, 0, 0, UInt8(8 + bytes.count), 0, 0, 0, 1] + bytes
      movie.tracks.append(
        SampleMovie.Track(
          id: 5, handler: "meta", format: "mebx", sizes: [UInt32(sample.count), 0],
          entryBoxes: MovieAuditTests.boxed(["com.apple.quicktime.video-orientation"]), data: sample))
    },
    Place("title") { bytes, movie in
      movie.movieBoxes = { $0.box("udta") { $0.box("titl") { $0.append([0, 0] + bytes) } } }
    },
    Place("owner") { bytes, movie in
      movie.movieBoxes = { $0.box("udta") { $0.box("©cpy") { $0.append([0, 30, 0, 0] + bytes) } } }
    },
    Place("serial number") { bytes, movie in
      movie.movieBoxes = { $0.box("udta") { $0.box("LENS") { $0.append(bytes) } } }
    },
    Place("thumbnail") { bytes, movie in movie.movieBoxes = { $0.box("udta") { $0.box("thmb") { $0.append(bytes) } } }
    },
    Place("free space") { bytes, movie in movie.before = { $0.box("free") { $0.append(bytes) } } },
    Place("after the last box") { bytes, movie in
      movie.after = { $0.append([0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4] + bytes + [0]) }
    },
  ]

  /// Boxes that must be kept.
  static let blanked = [
    Place("movie header") { bytes, movie in movie.headerTail = bytes },
    Place("handler name") { bytes, movie in
      movie.movieBoxes = {
        $0.box("udta") {
          $0.box("meta") {
            $0.fullBox("hdlr") { handler in
              handler.zeros(20)
              handler.append(bytes)
            }
          }
        }
      }
    },
    Place("data reference") { bytes, movie in
      movie.movieBoxes = {
        $0.box("udta") { $0.box("dinf") { $0.fullBox("dref") { $0.append([0, 0, 0, 0] + bytes) } } }
      }
    },
    Place("sample description") { bytes, movie in
      movie.tracks[0].entryBoxes = { entry in
        SampleMovie.Track.decoderConfiguration(&entry)
        entry.box("xtra") { $0.append(bytes) }
      }
    },
    Place("decoder setup") { bytes, movie in
      movie.tracks[0].entryBoxes = { $0.box("avcC") { $0.append([1, 0x64, 0, 0x1F, 0xFF, 0xE0, 0] + bytes) } }
    },
    // The text is read as the type and lengths of a truncated array. Its zeros leave bytes after an empty array.
    Place("lengths of a decoder setup") { bytes, movie in
      let head: [UInt8] = [
        1, 2, 0x20, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 0x78, 0xF0, 0, 0xFC, 0xFD, 0xFA, 0xFA, 0, 0, 0x0B,
      ]
      movie.tracks[0].entryBoxes = { $0.box("hvcC") { $0.append(head + [1] + bytes + [0xA0, 0xBF, 0xBE]) } }
    },
  ]

  /// Inside access units.
  static let units = [
    Place.unit("SEI of a reserved type", [6, 200, 90]), .unit("unspecified unit", [24]),
    .unit("filler", [12, 0xFF, 0xFF]),
  ]

  private func check(_ bytes: [UInt8], _ form: Form, isKnown: Bool) throws {
    let carriers = try Auditor.audit(MemoryBytes(bytes)).mustBeRemoved.map(\.carrier)
    #expect(carriers.contains { $0.disclosure == .location }, "\(carriers)")
    if isKnown { #expect(carriers.count > 1, "\(carriers)") }
    let copy = try Stripper.strip(bytes)
    #expect(copy.firstRange(of: form.bytes) == nil)
    #expect(try Auditor.audit(MemoryBytes(copy)).mustBeRemoved.isEmpty)
    let tracks = try #require(try ISOFile.read(copy)).tracks
    #expect(tracks.map(\.trackID) == [1])
    #expect(tracks.first?.sampleCount == 4)
  }

  @Test(arguments: removable + blanked + units, texts)
  func findsAndRemovesText(place: Place, form: Form) throws {
    var movie = SampleMovie()
    place.insert(form.bytes, &movie)
    try check(movie.bytes, form, isKnown: false)
  }

  @Test(arguments: removable + blanked + units, numbers)
  func findsAndRemovesRepeatedPositions(place: Place, form: Form) throws {
    var movie = SampleMovie()
    place.insert(form.bytes, &movie)
    let boxes = movie.movieBoxes
    movie.movieBoxes = {
      boxes(&$0)
      $0.box("udta") { $0.box("©xyz") { $0.international("+33.1268-117.3273/") } }
    }
    try check(movie.bytes, form, isKnown: true)
  }

  /// Zeros in headers must not match a position near 0, 0.
  @Test func positionsNearZeroDoNotMatchHeaders() throws {
    let form = Form("ISO 6709", "+00.000004+000.000004/")
    var movie = SampleMovie()
    movie.movieBoxes = { $0.box("udta") { $0.box("©xyz") { $0.international("+00.000004+000.000004/") } } }
    try check(movie.bytes, form, isKnown: false)
    let kinds = try Auditor.audit(MemoryBytes(movie.bytes)).mustBeRemoved.map(\.carrier.kind)
    #expect(!kinds.contains("known-position"), "\(kinds)")
  }
}
