import ClipModel
import Foundation
import ISOMedia
import LocationFormats
import TestSupport
import Testing

/// Builds elements of GoPro's format as the parser's documentation describes them.
enum GPMFBytes {
  static func element(_ key: FourCC, _ type: Character?, size: Int, _ payload: [UInt8]) -> [UInt8] {
    bytes {
      $0.fourCC(key)
      $0.u8(type?.asciiValue ?? 0)
      $0.u8(UInt8(size))
      $0.u16(UInt16(payload.count / size))
      $0.append(payload)
      $0.zeros(-payload.count & 3)
    }
  }

  static func text(_ key: FourCC, _ text: String) -> [UInt8] { element(key, "c", size: 1, Array(text.utf8)) }
  static func nest(_ key: FourCC, _ parts: [UInt8]...) -> [UInt8] { element(key, nil, size: 1, parts.flatMap(\.self)) }

  static func longs(_ key: FourCC, _ values: [Int32], perStructure: Int = 1) -> [UInt8] {
    element(key, "l", size: 4 * perStructure, bytes { for value in values { $0.u32(UInt32(bitPattern: value)) } })
  }

  /// A HERO6: five numbers per fix, scaled.
  static let gps5 = nest(
    "STRM", text("STNM", "GPS (Lat., Long., Alt., 2D speed, 3D speed)"), longs("GPSF", [3]),
    text("GPSU", "170417192758.000"), longs("SCAL", [10_000_000, 10_000_000, 1000, 1000, 100]),
    longs(
      "GPS5", [481_370_000, 115_750_000, 520_000, 10, 1, 481_371_000, 115_751_000, 520_000, 10, 1], perStructure: 5))

  /// A HERO11: a structure of nine numbers of two types.
  static let gps9 = nest(
    "STRM", text("TYPE", "lllllllSS"),
    longs("SCAL", [10_000_000, 10_000_000, 1000, 1000, 100, 1, 1000, 100, 1]),
    element(
      "GPS9", "?", size: 32,
      bytes { writer in
        for value in [-338_568_000, 1_512_153_000, 0, 0, 0, 0, 0] as [Int32] { writer.u32(UInt32(bitPattern: value)) }
        writer.u16(150)
        writer.u16(3)
      }))

  static let gyroscope = nest(
    "STRM", text("STNM", "Gyroscope"), element("SCAL", "s", size: 2, [0, 100]),
    element("GYRO", "s", size: 6, [0, 1, 0, 2, 0, 3]))

  static func payload(_ streams: [UInt8]...) -> [UInt8] {
    element("DEVC", nil, size: 1, longs("DVID", [1]) + text("DVNM", "Camera") + streams.flatMap(\.self))
  }

  static let camera = payload(gps5, gyroscope, gps9)
}

@Suite struct GPMFTests {
  @Test func readsPositionsOfBothFormats() {
    #expect(GPMF.trace(in: GPMFBytes.payload(GPMFBytes.gps5)).begins(at: 48.137, 11.575, count: 2))
    #expect(GPMF.trace(in: GPMFBytes.payload(GPMFBytes.gps9)).begins(at: -33.8568, 151.2153, count: 1))
    #expect(GPMF.trace(in: GPMFBytes.camera).count == 3)
  }

  @Test func distinguishesLocationFromMotion() {
    func examine(_ sample: [UInt8]) -> PayloadFinding {
      TimedMetadata.examine(sample, setup: TimedMetadataSetup(format: "gpmd"))
    }
    #expect(examine(GPMFBytes.camera).disclosure == .location)
    #expect(examine(GPMFBytes.payload(GPMFBytes.gyroscope)).disclosure == .motion)
    #expect(examine([1, 2, 3, 4, 5, 6, 7, 8, 9]).disclosure == .opaque)
    // Without a fix the stream has zeros, but it is still location data.
    let searching = GPMFBytes.nest("STRM", GPMFBytes.longs("GPS5", [0, 0, 0, 0, 0], perStructure: 5))
    #expect(examine(GPMFBytes.payload(searching)).disclosure == .location)
    #expect(examine(GPMFBytes.payload(searching)).trace.isEmpty)
  }

  @Test func removesOnlyPositionStreams() {
    let cleaned = GPMF.removingLocation(from: GPMFBytes.camera)
    #expect(cleaned == GPMFBytes.payload(GPMFBytes.gyroscope))
    #expect(!GPMF.hasLocation(in: cleaned))
    #expect(GPMF.removingLocation(from: cleaned) == cleaned)
    // Outside a stream, only the element is removed.
    let loose = GPMFBytes.element("DEVC", nil, size: 1, GPMFBytes.longs("GPSP", [100]) + GPMFBytes.gyroscope)
    #expect(GPMF.removingLocation(from: loose) == GPMFBytes.element("DEVC", nil, size: 1, GPMFBytes.gyroscope))
  }

  @Test func correctsSizesOfLargeContainers() {
    // A size above 65535 bytes is stored as a product.
    let filler = GPMFBytes.element("ACCL", "l", size: 12, [UInt8](repeating: 7, count: 90_000))
    let stream = GPMFBytes.element("STRM", nil, size: 4, filler)
    let payload = GPMFBytes.element("DEVC", nil, size: 4, stream + GPMFBytes.gps5)
    let cleaned = GPMF.removingLocation(from: payload)
    #expect(cleaned.count == payload.count - GPMFBytes.gps5.count)
    #expect(GPMF.removingLocation(from: cleaned) == cleaned)
    #expect(cleaned.dropFirst(8) == stream[...])
  }

  @Test func removesSerialNumbers() {
    let settings = GPMFBytes.payload(GPMFBytes.text("CASN", "C3221324545448"), GPMFBytes.text("PRTN", "N"))
    #expect(GPMF.removingIdentity(from: settings) == GPMFBytes.payload(GPMFBytes.text("PRTN", "N")))
  }

  @Test func returnsNothingForDamagedPayloads() {
    let payload = GPMFBytes.camera
    for length in 1..<payload.count {
      let cleaned = GPMF.removingLocation(from: Array(payload.prefix(length)))
      #expect(cleaned.isEmpty, "of \(length) bytes")
      #expect(GPMF.trace(in: Array(payload.prefix(length))).count <= 3)
    }
    for index in payload.indices {
      var damaged = payload
      damaged[index] ^= 0xFF
      #expect(GPMF.trace(in: GPMF.removingLocation(from: damaged)).isEmpty, "byte \(index)")
    }
    #expect(GPMF.removingLocation(from: payload + [0, 0, 0, 0]) == GPMFBytes.payload(GPMFBytes.gyroscope))
    #expect(GPMF.removingLocation(from: payload + [0, 0, 0, 0, 1]).isEmpty)
    var deep = GPMFBytes.gps5
    for _ in 0..<100 { deep = GPMFBytes.nest("DEVC", deep) }
    #expect(GPMF.removingLocation(from: deep).isEmpty)
    #expect(TimedMetadata.examine(deep, setup: TimedMetadataSetup(format: "gpmd")).disclosure == .opaque)
  }

  /// exiftool 12.57 (`-ee3`) lists the 47 positions of the Karma's filtered track (`GLPI`). This test also expects the
  /// 47 raw positions (`GPRI`), which exiftool lists as `GPSLatitudeRaw`, and the 12 of the pilot's controller
  /// (`BPOS`).
  @Test func matchesExiftoolOnARealFile() throws {
    guard let path = SharedMedia.path("gopro-hero5-karma-gpmf-480p-12s.mp4") else { return }
    let source = try FileBytes(path: path)
    let track = try #require(try ISOFile.read(from: source)?.tracks.first { $0.sampleEntries.first?.format == "gpmd" })
    var trace = PositionTrace()
    var sampleCount = 0
    try track.table?.forEachChunk(in: source) { chunk throws(ISOMediaError) in
      let sample = try source.bytes(at: chunk.offset, count: Int(chunk.byteCount))
      sampleCount += chunk.sampleCount
      trace.add(GPMF.trace(in: sample))
      let cleaned = GPMF.removingLocation(from: sample)
      #expect(!cleaned.isEmpty && cleaned.count < sample.count)
      #expect(!GPMF.hasLocation(in: cleaned))
      return true
    }
    #expect(sampleCount == 13)
    #expect(trace.count == 47 + 47 + 12)
    let expected = [(33.1253688, -117.3310668), (33.1253712, -117.3310685), (33.1253753, -117.3310713)]
    for (latitude, longitude) in expected {
      #expect(trace.kept.contains { abs($0.latitude - latitude) < 1e-6 && abs($0.longitude - longitude) < 1e-6 })
    }
  }
}
