import Foundation
import TestSupport
import Testing

/// Other programs can play the synthetic carriers and read their positions.
@Suite struct CarrierFixtureTests {
  static let files = LocationCarrierFile.all

  @Test func fileNamesAreUnique() {
    #expect(Set(Self.files.map(\.name)).count == Self.files.count)
    #expect(Self.files.count > 100)
  }

  @Test(arguments: TestScope.some(14, of: files))
  func ffprobeReadsTheFile(file: LocationCarrierFile) throws {
    let path = try file.write(to: ScratchFolder())
    let frames = try Tool.run(
      "ffprobe",
      ["-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries", "stream=nb_read_frames"]
        + ["-of", "default=nw=1:nk=1", path])
    // ffprobe lists the streams of a transport stream twice: in its program, too.
    #expect(String(decoding: frames, as: UTF8.self).split(separator: "\n").first == "5")
    #expect(try OtherPrograms.decodingComplaints(path) == "")
  }

  @Test(arguments: files)
  func otherProgramConfirmsTheCarrier(file: LocationCarrierFile) throws {
    let path = try file.write(to: ScratchFolder())
    let sightings = try file.sightings(in: path)
    #expect(sightings.isComplete, "\(sightings.seen) of \(sightings.expected)")
  }

  /// The positions come from the carriers and not from the clip that contains them.
  @Test(arguments: ["mp4", "mov", "mkv", "avi", "ts"])
  func plainClipsHaveNoLocation(container: String) throws {
    let arguments = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=10:d=0.5", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
    let path = try ClipFactory.clip("plain.\(container)", arguments)
    #expect(OtherPrograms.locationNumbers(in: try OtherPrograms.exiftool(path)).isEmpty)
  }
}
