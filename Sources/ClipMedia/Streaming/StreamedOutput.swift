import ClipModel
import DurableFiles
import Foundation
import ISOMedia
import LibAV
import Privacy

/// An event of an output whose bytes are sent while it's written.
package enum StreamedOutputEvent: Equatable, Sendable {
  /// A file was started. If the clip is encoded again, all bytes of the earlier file are void.
  case started
  /// The bytes at the start of the file are final, durable and audited.
  case extended(StreamedPart)
}

/// The first bytes of a file that is still being written.
package struct StreamedPart: Equatable, Sendable {
  package var path: String
  package var byteCount: Int64
  /// The time at which the part ends, on the clip's clock.
  package var endSeconds: Double
  /// The SHA-256 of these bytes, in lowercase hexadecimal digits.
  package var sha256: String

  /// Returns the size of the entire clip, if the rest has the bit rate of this part.
  /// - Parameter seconds: the duration of the clip.
  package func predictedByteCount(ofSeconds seconds: Double) -> Double {
    Double(byteCount) * max(seconds / max(endSeconds, 0.1), 1)
  }
}

/// Writes an MP4 file whose first bytes can be sent while the rest is being encoded: its index is at the end, and each
/// group of pictures (GOP) is audited and durable before it's reported.
///
/// A GOP and the audio packets before its end become one `mdat` box. The boxes depend only on the packets, and not on the
/// order in which the tracks deliver them. So an interrupted encode that continues writes the same bytes again.
final class StreamedOutput: MovieOutput {
  private struct Track {
    let timeBase: Rational
    let isVideo: Bool
    /// The duration of a packet that has none.
    let nominalTicks: Int64
    let auditor: SampleAuditor?
    var pending: [StreamedMovieWriter.Sample] = []
    var lastDecodingTicks: Int64?

    func seconds(_ ticks: Int64) -> Double { Double(ticks) * timeBase.value }
  }

  private let name: String
  private let path: String
  private let origin: SourcePositions
  private let template: OutputContainer
  private let file: SequentialFile
  private let report: (StreamedOutputEvent) -> Void
  private let interruption: Interruption
  /// Serializes writes from several threads.
  private let writing = NSLock()
  private var writer: StreamedMovieWriter?
  private var tracks: [Track] = []

  /// - Parameters:
  ///   - path: an existing file, whose contents are replaced.
  ///   - report: called with each part that can be sent, on any thread.
  init(
    at path: String, name: String, origin: SourcePositions, interruption: Interruption,
    report: @escaping (StreamedOutputEvent) -> Void
  ) throws {
    (self.path, self.name, self.origin, self.interruption, self.report) = (path, name, origin, interruption, report)
    template = try OutputContainer(initializationSegment: interruption)
    file = try SequentialFile(truncating: path)
    report(.started)
  }

  /// The SHA-256 of the complete file.
  var sha256: String { file.sha256 }

  func addTrack(from encoder: Encoder, orientation: Orientation) throws -> Int {
    try template.addTrack(from: encoder, orientation: orientation)
  }

  func addTrack(copying source: SourceStream) throws -> Int { try template.addTrack(copying: source) }

  func setCaptureDate(_ date: String) { template.setCaptureDate(date) }

  func writeHeader() throws {
    let segment = try template.writeInitializationSegment()
    guard var writer = try? StreamedMovieWriter(template: segment) else {
      throw ClipMediaError.verification(name: name, why: "its header is invalid")
    }
    tracks = writer.sampleFormats.enumerated().map { index, format in
      let codec: String? =
        switch format {
        case "avc1", "avc3": "h264"
        case "hvc1", "hev1": "hevc"
        default: nil
        }
      return Track(
        timeBase: template.timeBase(ofTrack: index) ?? Rational(1, 1), isVideo: codec != nil,
        nominalTicks: template.nominalDuration(ofTrack: index),
        auditor: codec.flatMap { SampleAuditor(codec: $0, madeFrom: origin) })
    }
    guard tracks.count(where: \.isVideo) == 1 else {
      throw ClipMediaError.verification(name: name, why: "it must have exactly one video track")
    }
    try file.append(writer.start())
    self.writer = writer
  }

  func write(_ packet: Packet, track index: Int, timeBase: Rational) throws {
    try interruption.check()
    writing.lock()
    defer { writing.unlock() }
    packet.rescaleTicks(from: timeBase, to: tracks[index].timeBase)
    let sample = try makeSample(packet, track: index)
    let startsGOP = tracks[index].isVideo && sample.isSync && !tracks[index].pending.isEmpty
    if startsGOP { gops.append(takePending(ofTrack: index, before: sample)) }
    tracks[index].pending.append(sample)
    tracks[index].lastDecodingTicks = sample.decodingTicks
    try writeFinishedGOPs()
  }

  private func makeSample(_ packet: Packet, track index: Int) throws -> StreamedMovieWriter.Sample {
    let track = tracks[index]
    let bytes = packet.bytes
    guard let presentation = packet.presentationTicks, let decoding = packet.decodingTicks else {
      throw invalidSample(ofTrack: index, decodingTicks: packet.decodingTicks ?? track.lastDecodingTicks ?? 0)
    }
    let isByteStream = track.isVideo && AnnexB.isByteStream(bytes)
    let last = track.lastDecodingTicks.map { decoding - $0 } ?? 0
    let guess = track.nominalTicks > 0 ? track.nominalTicks : last
    return StreamedMovieWriter.Sample(
      track: index, presentationTicks: presentation, decodingTicks: decoding,
      durationTicks: packet.durationTicks > 0 ? packet.durationTicks : guess,
      isSync: !track.isVideo || packet.isKeyFrame,
      bytes: isByteStream ? AnnexB.lengthPrefixed(bytes) : bytes)
  }

  // MARK: Groups of pictures

  private struct GOP {
    var samples: [StreamedMovieWriter.Sample]
    /// The time at which the next GOP is decoded.
    var endSeconds: Double
  }

  /// The complete GOPs for which audio packets are missing.
  private var gops: [GOP] = []

  private func takePending(ofTrack index: Int, before next: StreamedMovieWriter.Sample) -> GOP {
    defer { tracks[index].pending = [] }
    return GOP(samples: tracks[index].pending, endSeconds: tracks[index].seconds(next.decodingTicks))
  }

  private func writeFinishedGOPs() throws {
    while let gop = gops.first {
      let isAudioPending = tracks.contains { track in
        !track.isVideo && (track.lastDecodingTicks.map(track.seconds) ?? -.infinity) < gop.endSeconds
      }
      if isAudioPending { return }
      gops.removeFirst()
      try append(gop)
      try file.synchronize()
      report(
        .extended(
          StreamedPart(
            path: path, byteCount: file.byteCount, endSeconds: gop.endSeconds, sha256: file.sha256)))
    }
  }

  /// Writes a GOP with the audio packets before its end.
  private func append(_ gop: GOP) throws {
    var samples = gop.samples
    for index in tracks.indices where !tracks[index].isVideo {
      let track = tracks[index]
      let end = track.pending.firstIndex { track.seconds($0.decodingTicks) >= gop.endSeconds } ?? track.pending.count
      samples += track.pending[..<end]
      tracks[index].pending.removeFirst(end)
    }
    let sorted = samples.enumerated().sorted { first, second in
      let times = [first, second].map { tracks[$0.element.track].seconds($0.element.decodingTicks) }
      return times[0] == times[1] ? first.offset < second.offset : times[0] < times[1]
    }.map(\.element)
    try audit(sorted)
    guard let bytes = try makeBox(sorted) else { return }
    try requireOneBox(bytes)
    try file.append(bytes)
  }

  private func makeBox(_ samples: [StreamedMovieWriter.Sample]) throws -> [UInt8]? {
    do {
      return try writer?.write(samples)
    } catch StreamedMovieWriter.Failure.invalidSample(let track, let ticks) {
      throw invalidSample(ofTrack: track, decodingTicks: ticks)
    }
  }

  private func invalidSample(ofTrack index: Int, decodingTicks: Int64) -> ClipMediaError {
    let why = "a packet has an invalid timestamp"
    // The video comes from the encoder. Audio can be copied from the source.
    return tracks[index].isVideo
      ? .verification(name: name, why: why)
      : .damaged(name: name, seconds: tracks[index].seconds(decodingTicks), why: why)
  }

  private func audit(_ samples: [StreamedMovieWriter.Sample]) throws {
    for sample in samples {
      if let place = try tracks[sample.track].auditor?.leftoverPlace(in: sample.bytes) {
        throw ClipMediaError.leftover(name: name, place: place)
      }
    }
  }

  /// Checks that the bytes are a single box, as a reader of the file sees them.
  private func requireOneBox(_ bytes: [UInt8]) throws {
    var reader = BoxReader(source: MemoryBytes(bytes))
    let boxes = try reader.remainingBoxes()
    guard boxes.map(\.type) == ["mdat"], boxes[0].overrun == 0, boxes[0].range.count == bytes.count else {
      throw ClipMediaError.verification(name: name, why: "a group of pictures is not a complete box")
    }
  }

  func finish() throws {
    writing.lock()
    defer { writing.unlock() }
    if let video = tracks.firstIndex(where: \.isVideo) {
      gops.append(GOP(samples: tracks[video].pending, endSeconds: .infinity))
    }
    for gop in gops { try append(gop) }
    gops = []
    if let bytes = try writer?.finish() { try file.append(bytes) }
  }
}
