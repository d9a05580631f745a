import ClipModel
import Foundation
import ISOMedia
import Privacy
import TestSupport
import Testing

/// Audits and strips synthetic files of formats without a real sample.
@Suite struct SyntheticCarrierTests {
  static let files = LocationCarrierFile.all
  /// Carriers whose positions are encrypted with an unpublished cipher.
  static let encrypted: Set = ["kingslim-gpmd"]

  @Test(arguments: files)
  func findsTheCarrier(file: LocationCarrierFile) async throws {
    let report = try await Auditor.audit(path: file.write(to: ScratchFolder()))
    #expect(!report.mustBeRemoved.isEmpty, "\(report.found.map(\.carrier))")
    guard !Self.encrypted.contains(file.name) else { return }
    for position in file.positions {
      let isRead = report.positions.contains {
        abs($0.latitude - position.latitude) < 0.001 && abs($0.longitude - position.longitude) < 0.001
      }
      #expect(
        isRead, "\(position) is not among \(report.positions.prefix(4)) of \(report.mustBeRemoved.map(\.carrier))")
    }
  }

  /// A track with a position and a serial number is rewritten once.
  @Test(arguments: ["gopro-gps5", "gopro-gps9"], [true, false])
  func keepsMotionWithAllOptions(name: String, removesIdentifiers: Bool) async throws {
    let file = try #require(Self.files.first { $0.name == name })
    let folder = try ScratchFolder()
    let path = try file.write(to: folder)
    var options = StripOptions()
    options.keepsMotion = true
    options.removesIdentifiers = removesIdentifiers
    let out = folder.path("out.mp4")
    let result = try await Stripper.strip(source: path, destination: out, options: options, proves: true)
    #expect(result.notes.count { $0.contains("motion data") } == 1)
    #expect(result.proof?.tracks.count == 3)
    #expect(try file.sightings(in: out).seen == 0)
  }

  @Test(arguments: TestScope.some(28, of: files))
  func removesTheCarrier(file: LocationCarrierFile) async throws {
    let folder = try ScratchFolder()
    let path = try file.write(to: folder)
    let out = folder.path("out." + file.fileExtension)
    let result = try await Stripper.strip(source: path, destination: out)
    #expect(!result.removed.isEmpty)
    #expect(try OtherPrograms.positions(in: out).isEmpty)
    #expect(try file.sightings(in: out).seen == 0)
    #expect(try await Auditor.audit(path: out).mustBeRemoved.isEmpty)
    guard result.cutPictures.isEmpty else { return }
    // A cover image with a position is removed completely.
    #expect(
      try OtherPrograms.streamHashes(of: out, covers: false) == OtherPrograms.streamHashes(of: path, covers: false))
  }
}
