import ClipModel
import Foundation
import Testing

/// The sentences of all notes: other tests check cases, IDs and facts.
@Suite struct ProcessingNoteTests {
  private static let notes: [(ProcessingNote, String, String)] = [
    (.audioDamaged(seconds: 1.5, placeCount: 1, isSilent: false), "audio.damaged", "the audio is damaged at 1.5 s"),
    (
      .audioDamaged(seconds: 1.5, placeCount: 3, isSilent: true), "audio.damaged",
      "the audio is damaged at 1.5 s and in 2 more places and silent there"
    ),
    (.audioMissing, "audio.missing", "this part has no audio"),
    (.audioUndecodable(track: 1), "audio.undecodable", "no audio: track 1 cannot be decoded"),
    (
      .audioUnsupported(track: 1, codec: "apac"), "audio.unsupported",
      "no audio: there is no decoder for track 1 (apac)"
    ),
    (
      .cutOverrun(milliseconds: 67), "cut.overrun",
      "ends 67 ms after the requested end, because its last frames need later frames"
    ),
    (.encodeContinued(seconds: 62.34), "encode.continued", "continued an interrupted encode at 1:02.3"),
    (.encodeRepeated(reasons: ["it was larger"]), "encode.repeated", "encoded twice because it was larger"),
    (
      .encodeRepeated(reasons: ["it was larger", "its bit rate was too high"]), "encode.repeated",
      "encoded 3 times because it was larger, then its bit rate was too high"
    ),
    (
      .encodeRestarted(isOutdated: true), "encode.restarted",
      "restarted an interrupted encode because the source, the video settings or the version of bsc changed"
    ),
    (
      .encodeRestarted(isOutdated: false), "encode.restarted",
      "restarted an interrupted encode because it could not be continued"
    ),
    (.hardwareEncoder(name: "h264_nvenc"), "encoder.hardware", "encoded with h264_nvenc"),
    (
      .softwareEncoder(why: "h264_nvenc: no device"), "encoder.software",
      "no hardware encoder works on this machine (h264_nvenc: no device), so x264 was used"
    ),
    (.framesDropped(count: 1), "frames.dropped", "1 frame was dropped because its timestamp was out of order"),
    (
      .framesDropped(count: 2), "frames.dropped",
      "2 frames were dropped because their timestamps were out of order"
    ),
    (
      .framesScrubbed(count: 2), "frames.scrubbed",
      "removed private SEI messages from 2 frames; the image data is unchanged"
    ),
    (.nonStandardInput(warning: "Mux has to transcode"), "input.non-standard", "Mux has to transcode"),
    (
      .largerThanSource(byteCount: 3000, isCopy: false, isQualityLimited: false), "output.larger",
      "larger than the source by 3.0 kB"
    ),
    (
      .largerThanSource(byteCount: 3000, isCopy: true, isQualityLimited: false), "output.larger",
      "larger than the source by 3.0 kB, because the index and audio are larger in MP4"
    ),
    (
      .largerThanSource(byteCount: 3000, isCopy: false, isQualityLimited: true), "output.larger",
      "larger than the source by 3.0 kB, because the quality would be too low at the source's size"
    ),
    (.picturesFailed(why: "no frame"), "pictures.failed", "no pictures: no frame"),
    (
      .sourceDamaged(seconds: 2.5, why: "bad slice"), "source.damaged",
      "ends at 2.5 s: the source is damaged there (bad slice)"
    ),
    (.sourceTruncated(seconds: 2.5), "source.truncated", "ends at 2.5 s: the source is truncated there"),
    (
      .tracksOmitted(tracks: [2]), "tracks.omitted",
      "omitted track 2: only one video and one audio track are kept"
    ),
    (
      .tracksOmitted(tracks: [2, 4]), "tracks.omitted",
      "omitted tracks 2, 4: only one video and one audio track are kept"
    ),
    (.earlier(text: "the clip ends early"), "note.earlier", "the clip ends early"),
  ]

  @Test(arguments: notes) func noteHasIDAndText(note: ProcessingNote, id: String, text: String) {
    #expect(note.id == id)
    #expect(note.text == text)
  }

  @Test func everyCaseIsListed() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../Sources/ClipModel/Job/ProcessingNote.swift")
    let source = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)
    #expect(source.matches(of: /\n  case \w+/).count == Set(Self.notes.map(\.1)).count)
  }

  private static func clip(_ notes: [ProcessingNote]) -> ProcessedClip {
    ProcessedClip(
      path: "/clip.mp4", byteCount: 3, sha256: "ab", probe: ClipProbe(container: "mov", byteCount: 3), notes: notes)
  }

  @Test func notesSurviveStoring() throws {
    let clip = Self.clip(Self.notes.map(\.0))
    #expect(try JSONDecoder().decode(ProcessedClip.self, from: JSONEncoder().encode(clip)) == clip)
  }

  /// Journals of earlier versions contain only texts.
  @Test func storedTextsAreEarlierNotes() throws {
    let json = String(decoding: try JSONEncoder().encode(Self.clip([])), as: UTF8.self)
      .replacing(#""notes":[]"#, with: #""notes":["one","two"]"#)
    let clip = try JSONDecoder().decode(ProcessedClip.self, from: Data(json.utf8))
    #expect(clip == Self.clip([.earlier(text: "one"), .earlier(text: "two")]))
    #expect(try JSONDecoder().decode(ProcessedClip.self, from: JSONEncoder().encode(clip)) == clip)
  }
}
