import Foundation
import ISOMedia
import TestSupport
import Testing

@testable import LocationFormats

@Suite struct LociTests {
  static func payload(name: [UInt8], latitude: Double, longitude: Double) -> [UInt8] {
    func fixed(_ value: Double) -> [UInt8] { FormBytes.big(Int32((value * 65536).rounded())) }
    return [0, 0, 0, 0, 0x15, 0xC7] + name + [0] + fixed(longitude) + fixed(latitude) + fixed(520)
      + Array("earth\0\0".utf8)
  }

  @Test(arguments: [
    Array("\0".utf8), Array("M\0".utf8), Array("Munich\0".utf8), [0xFE, 0xFF, 0x01, 0x00, 0x00, 0x41, 0, 0],
    [0xFE, 0xFF, 0, 0],
  ])
  func readsThePosition(name: [UInt8]) {
    let payload = Self.payload(name: name, latitude: -33.8568, longitude: 151.2153)
    let trace = Loci.trace(payload)
    #expect(trace.count == 1)
    // The resolution is 1/65536 degree, which is 1.5e-5.
    #expect(TestPosition(trace.first) == TestPosition(-33.8568, 151.2153))
    for count in 0..<payload.count - 11 { #expect(Loci.trace(Array(payload[..<count])).isEmpty) }
  }

  @Test func ignoresInvalidPositions() {
    #expect(Loci.trace(Self.payload(name: [0], latitude: 0, longitude: 0)).isEmpty)
    #expect(Loci.trace(Self.payload(name: [0], latitude: 91, longitude: 0)).isEmpty)
  }

  @Test(arguments: ["dji-drone-gps-loci-86s.mp4", "phone-1080p-gps-loci-4s.mp4"])
  func matchesExiftoolOnRealFiles(file: String) throws {
    guard let path = SharedMedia.path(file) else { return }
    let source = try FileBytes(path: path)
    var reader = BoxReader(source: source)
    let movie = try #require(try reader.remainingBoxes().first { $0.type == "moov" })
    var inMovie = BoxReader(source: source, childrenOf: movie)
    let userData = try #require(try inMovie.remainingBoxes().first { $0.type == "udta" })
    var inUserData = BoxReader(source: source, childrenOf: userData)
    // The second box of one file is empty.
    let traces = try inUserData.remainingBoxes().filter { $0.type == "loci" }.map {
      Loci.trace(try source.bytes(at: $0.payload.lowerBound, count: Int($0.payload.upperBound - $0.payload.lowerBound)))
    }
    let output = String(
      decoding: try SharedClips.run("exiftool", ["-n", "-a", "-s3", "-LocationInformation*", path]), as: UTF8.self)
    let match = try #require(output.firstMatch(of: /Lat=(\S+) Lon=(\S+)/))
    let expected = TestPosition(try #require(Double(match.1)), try #require(Double(match.2)))
    #expect(traces.compactMap { TestPosition($0.first) } == [expected])
  }
}
