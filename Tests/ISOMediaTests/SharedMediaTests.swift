import ClipModel
import ISOMedia
import Testing

@Suite(.enabled(if: !SharedMedia.rows.isEmpty)) struct SharedMediaTests {
  @Test(arguments: SharedMedia.rows)
  func locationIsFoundWhereTheManifestHasIt(row: SharedMedia.Row) throws {
    let file = try ISOFile.read(path: SharedMedia.path(row.file))
    if row.isISO { #expect(file != nil) }
    let carriers = file?.locationCarriers ?? []
    #expect(carriers.isEmpty == (row.location == "none" || file == nil), "\(carriers)")
  }

  @Test(arguments: [
    ("iphone14pro-dovi-hlg-1080p-rot90-gps.mov", ["apple-iso6709", "apple-location"]),
    ("iphone5-1080p-gps-keys-udta.mov", ["apple-iso6709", "quicktime-xyz"]),
    ("gopro-hero5-karma-gpmf-480p-12s.mp4", ["gopro-gpmd"]),
    ("phone-1080p-rot90-gps-xyz.mp4", ["quicktime-xyz"]),
    ("dji-drone-gps-loci-86s.mp4", ["3gpp-loci"]),
    ("dashcam-70mai-gps-box.mp4", ["gps-box"]),
    ("android-hevc-1080p-rot90-gps-xyz-mett.mp4", ["quicktime-xyz", "timed-text-metadata"]),
    ("pixel-night-vp9-1920x1440-gps-ilst.mp4", ["itunes-xyz"]),
  ])
  func carriersOfRealFilesAreNamed(name: String, kinds: [String]) throws {
    let file = try #require(try ISOFile.read(path: SharedMedia.path(name)))
    #expect(Set(file.locationCarriers.map(\.kind)) == Set(kinds), "\(file.locationCarriers)")
  }

  @Test(arguments: SharedMedia.rows.filter { $0.isISO && $0.durationSeconds != nil })
  func durationIsThatOfTheManifest(row: SharedMedia.Row) throws {
    let file = try #require(try ISOFile.read(path: SharedMedia.path(row.file)))
    // Time code and telemetry may be longer than what they are about.
    let tracks = file.tracks.filter { $0.handlerType != "tmcd" && $0.handlerType != "meta" }
    let seconds = try #require(tracks.compactMap(\.presentationSeconds).max())
    #expect(abs(seconds - (try #require(row.durationSeconds))) < 0.1)
  }

  @Test(arguments: SharedMedia.rows.filter { $0.isISO && !$0.file.hasPrefix("broken") })
  func soundFilesHaveNoAnomalies(row: SharedMedia.Row) throws {
    #expect(try #require(try ISOFile.read(path: SharedMedia.path(row.file))).anomalies.isEmpty)
  }

  @Test(arguments: [
    ("broken-no-moov.mp4", "no moov"), ("broken-mdat-too-long.mp4", "more than the file has"),
    ("broken-truncated-hevc-31s.mp4", "truncated"),
    ("broken-chunk-out-of-range.mp4", "17 of 17 samples are in no chunk"),
    ("broken-fuzz-quicktime-156k.mov", "no box at byte"),
  ])
  func damageIsNamed(name: String, words: String) throws {
    let file = try #require(try ISOFile.read(path: SharedMedia.path(name)))
    #expect(file.anomalies.contains { $0.contains(words) }, "\(file.anomalies)")
  }

  @Test func phonesTellTheirDetails() throws {
    let phone = try #require(try ISOFile.read(path: SharedMedia.path("iphone-dovi84-hlg-1080p-rot90-editlist.mp4")))
    let video = try #require(phone.tracks.first { $0.handlerType == "vide" })
    #expect(phone.isFastStart == true)
    #expect(video.sampleEntries.first?.dolbyVision?.profile == 8)
    #expect(video.sampleEntries.first?.dolbyVision?.compatibilityID == 4)
    #expect(video.edits.contains { ($0.mediaTime ?? 0) > 0 })
    let fragmented = try #require(try ISOFile.read(path: SharedMedia.path("partially-fragmented.mp4")))
    #expect(fragmented.isFragmented)
    let variable = try #require(try ISOFile.read(path: SharedMedia.path("phone-hevc-1376x1840-vfr-5s.mp4")))
    #expect(variable.tracks.first { $0.handlerType == "vide" }?.hasVariableFrameRate == true)
    let constant = try #require(try ISOFile.read(path: SharedMedia.path("volleyball-indoor-720p-30s.mp4")))
    #expect(constant.tracks.first?.hasVariableFrameRate == false)
    #expect(constant.tracks.first?.sampleCount == 750)
  }
}
