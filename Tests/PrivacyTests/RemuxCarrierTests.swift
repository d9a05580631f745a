import ClipModel
import Foundation
import ISOMedia
import LocationFormats
import TestSupport
import Testing

@testable import Privacy

/// Audits and remuxes every synthetic carrier in Matroska, AVI and MPEG-TS.
@Suite struct RemuxCarrierTests {
  static let files = LocationCarrierFile.all.filter {
    ["mkv", "webm", "avi", "ts", "mts", "m2ts"].contains($0.fileExtension)
  }

  @Test(arguments: files)
  func findsAndRemovesTheCarrier(file: LocationCarrierFile) throws {
    let source = try file.write(to: ScratchFolder())
    let before = try ContainerFixture.audit(path: source)
    #expect(before.carriers.contains { $0.carrier.mustBeRemoved }, "\(before)")

    let copy = try ContainerFixture.strip(source)
    let after = try ContainerFixture.audit(path: copy.path)
    #expect(!after.carriers.contains { $0.carrier.mustBeRemoved }, "\(after.carriers.map(\.carrier))")
    #expect(after.unread.isEmpty, "\(after.unread)")
    #expect(try ContainerFixture.exiftoolLocations(copy.path) == [])
    let hasCut = !copy.report.cutAccessUnits.isEmpty
    let isSame = try ContainerFixture.streamHashes(copy.path) == ContainerFixture.streamHashes(source)
    #expect(isSame != hasCut, "\(copy.report)")
  }

  /// Reads the positions of carriers with readable values.
  @Test(
    arguments: files.filter { ["mkv-location-tag", "mkv-subtitle", "avi-info", "ts-klv", "avi-xmp"].contains($0.name) })
  func readsPositions(file: LocationCarrierFile) throws {
    let carriers = try ContainerFixture.audit(MemoryBytes(file.bytes()), named: file.fileName).carriers
    let found = carriers.flatMap(\.trace.kept)
    #expect(file.positions.allSatisfy { position in found.contains { $0.isNear(position) } }, "\(found)")
    let counts = carriers.filter { $0.carrier.disclosure == .location }.compactMap(\.carrier.pointCount)
    #expect(counts.reduce(0, +) >= file.positions.count)
  }
}

extension GeoPosition {
  func isNear(_ other: GeoPosition) -> Bool {
    abs(latitude - other.latitude) < 1e-3 && abs(longitude - other.longitude) < 1e-3
  }
}
