import ClipModel
import Foundation
import ISOMedia
import Privacy
import TestSupport
import Testing

/// Audits and strips real camera files, and compares the results with other programs.
@Suite(.enabled(if: !SharedManifest.rows.isEmpty)) struct RealMovieTests {
  static let intact = SharedManifest.rows.filter { !$0.file.hasPrefix("broken") && $0.isKnownContainer }
  static let located = intact.filter { $0.location != "none" }

  @Test(arguments: intact)
  func findsLocationAsInTheManifest(row: SharedManifest.Row) async throws {
    let report = try await Auditor.audit(path: row.path)
    let locations = report.found.filter { $0.carrier.disclosure == .location }
    #expect(locations.isEmpty == (row.location == "none"), "\(locations.map(\.carrier))")
  }

  @Test(arguments: [
    ("iphone14pro-dovi-hlg-1080p-rot90-gps.mov", ["apple-iso6709", "apple-location", "apple-mebx-faces"]),
    ("iphone5-1080p-gps-keys-udta.mov", ["apple-iso6709", "quicktime-xyz"]),
    ("gopro-hero5-karma-gpmf-480p-12s.mp4", ["gopro-gpmf", "unknown-box"]),
    ("phone-1080p-rot90-gps-xyz.mp4", ["quicktime-xyz"]), ("dji-drone-gps-loci-86s.mp4", ["3gpp-loci"]),
    ("dashcam-70mai-gps-box.mp4", ["70mai-gps"]),
    ("android-hevc-1080p-rot90-gps-xyz-mett.mp4", ["quicktime-xyz", "timed-mett"]),
    ("pixel-night-vp9-1920x1440-gps-ilst.mp4", ["itunes-xyz"]),
  ])
  func reportsKnownKinds(name: String, kinds: [String]) async throws {
    let path = try #require(SharedMedia.path(name))
    let report = try await Auditor.audit(path: path)
    #expect(Set(report.mustBeRemoved.map(\.carrier.kind)) == Set(kinds), "\(report.mustBeRemoved.map(\.carrier))")
  }

  /// The audit finds every position that exiftool finds, within a thousandth of a degree.
  @Test(arguments: located)
  func findsAllPositionsOfExiftool(row: SharedManifest.Row) async throws {
    let expected = try OtherPrograms.positions(in: row.path)
    #expect(!expected.isEmpty)
    let found = try await Auditor.audit(path: row.path).positions
    for position in expected {
      let isFound = found.contains {
        abs($0.latitude - position.latitude) < 0.001 && abs($0.longitude - position.longitude) < 0.001
      }
      #expect(isFound, "exiftool finds \(position), but the audit only \(found.prefix(3))")
    }
  }

  @Test(arguments: TestScope.some(5, of: intact))
  func otherProgramsFindNoLocationInTheCopy(row: SharedManifest.Row) async throws {
    let folder = try ScratchFolder()
    let out = folder.path("out." + row.fileExtension)
    let before = try await Auditor.audit(path: row.path)
    let result = try await Stripper.strip(source: row.path, destination: out, proves: row.isISO)
    #expect(try OtherPrograms.positions(in: out).isEmpty)
    #expect(try OtherPrograms.locationWords(in: out).isEmpty)
    let bytes = try Data(contentsOf: URL(filePath: out))
    for text in before.positions.prefix(20).flatMap(OtherPrograms.texts) {
      #expect(bytes.firstRange(of: Data(text.utf8)) == nil, "\(text) remains")
    }
    #expect(try await Auditor.audit(path: out).mustBeRemoved.isEmpty)
    if row.isISO { #expect(result.proof?.tracks.isEmpty == false) }
  }

  @Test(arguments: TestScope.some(4, of: intact))
  func keepsVideoAndAudio(row: SharedManifest.Row) async throws {
    let out = try ScratchFolder().path("out." + row.fileExtension)
    let result = try await Stripper.strip(source: row.path, destination: out)
    // Frames that lost a message have other bytes.
    guard result.cutPictures.isEmpty else { return }
    #expect(try OtherPrograms.streamHashes(of: out) == OtherPrograms.streamHashes(of: row.path))
    guard row.isISO || row.fileExtension == "mkv" else { return }
    #expect(try OtherPrograms.frameDigests(of: out) == OtherPrograms.frameDigests(of: row.path))
    #expect(try OtherPrograms.streams(of: out) == OtherPrograms.streams(of: row.path))
  }
}
