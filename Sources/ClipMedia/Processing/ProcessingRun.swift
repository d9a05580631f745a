import ClipModel
import DurableFiles
import Foundation
import LibAV
import Privacy

/// Creates a verified output from one source, on one thread. Encodes the clip again if the output exceeds the size or
/// bit rate limit.
struct ProcessingRun {
  let source: OpenedClip
  /// A demuxer for the source that is already open, if any.
  var opened: InputContainer?
  let plan: ProcessingPlan
  /// The path of the output file, which must not be in use.
  let path: String
  let interruption: Interruption
  /// The pictures to render from the output.
  var pictures: [PictureRequest] = []
  /// Called with the decoding results of a verified transcode, which is analyzed only if this is set. If it throws an error,
  /// the output is discarded.
  var evaluateDecoding: ((DecodingCheck.Result) throws -> Void)?
  /// The number of threads that each codec uses.
  let coreCount: Int
  /// Stores finished GOPs, so that an interrupted encode can continue.
  var checkpoint: EncodingCheckpoint?
  /// Called when an interrupted encode continues.
  var reportContinuation: (EncodingProgress) -> Void = { _ in }
  /// Called with the parts of an output that can be sent while it's encoded, on any thread.
  var reportStream: (StreamedOutputEvent) -> Void = { _ in }
  /// Called with the fraction that is complete, from 0 to 1.
  let progress: (Double) -> Void

  struct Result: Sendable {
    var probe: ClipProbe
    /// The location in the output that still contains private metadata or a GPS position from the source, or `nil` if
    /// the audit found none.
    var leftoverPlace: String?
    var report: PipelineReport
    /// The decoding results, or `nil` if the video was copied or not analyzed.
    var decoding: DecodingCheck.Result?
  }

  private var name: String { source.name }
  private var probe: ClipProbe { source.probe }

  /// Writes the output and its pictures. After an error that would occur again, discards the stored GOPs.
  func write() throws -> (result: Result, pictures: FinishedPictures) {
    do {
      return try writeOutputAgainIfNeeded()
    } catch {
      checkpoint?.removeUnlessUsable(after: error, interruption)
      throw error
    }
  }

  /// Writes the output. If the stored GOPs may be the reason why a continued encode or its output fails, writes it from the
  /// start, which shows whether the error is in the source.
  private func writeOutputAgainIfNeeded() throws -> (result: Result, pictures: FinishedPictures) {
    do {
      return try writeVerifiedOutput()
    } catch {
      guard let checkpoint, checkpoint.seam != nil, let attempt = checkpoint.attempt, isAvoidable(error) else {
        throw error
      }
      checkpoint.restart(attempt)
      var written = try writeVerifiedOutput()
      written.result.report.notes.append(.encodeRestarted(isOutdated: false))
      return written
    }
  }

  private func writeVerifiedOutput() throws -> (result: Result, pictures: FinishedPictures) {
    var attempt = checkpoint?.attempt ?? plan.video.encoding.map { EncodingCheckpoint.Attempt(encoding: $0) }
    // The frames of the first attempt are decoded only if nothing of it is stored.
    let tap = checkpoint?.attempt == nil ? tap : nil
    var result = try encode(attempt, tap: tap)
    while let current = attempt,
      let retry = EncodingRetry(
        after: current.encoding, output: result.probe, encodeCount: current.reasons.count + 1)
    {
      attempt = EncodingCheckpoint.Attempt(encoding: retry.encoding, reasons: current.reasons + [retry.why])
      result = try encode(attempt)
    }
    let reasons = attempt?.reasons ?? []
    if !reasons.isEmpty { result.report.notes.append(.encodeRepeated(reasons: reasons)) }
    try checkSize(&result)
    result.report.notes += omissions
    try OutputCheck(source: name, plan: plan, probe: probe, report: result.report).verify(result.probe)
    if let digest = result.report.streamedDigest {
      let stored = try FileDigest.sha256(ofFileAt: path) { try interruption.check() }
      guard stored == digest else {
        throw ClipMediaError.verification(name: name, why: "its bytes are not those that were written")
      }
    }
    if let place = result.leftoverPlace { throw ClipMediaError.leftover(name: name, place: place) }
    if let decoding = result.decoding { try evaluateDecoding?(decoding) }
    let drawn = try renderPictures(tap, into: &result)
    return (result, drawn)
  }

  /// Renders the pictures from the frames of the first encoding. The frames of later encodings are identical.
  private var tap: FrameTap? {
    guard !pictures.isEmpty, plan.video.encoding != nil else { return nil }
    let orientation = probe.videoTracks.first { $0.index == plan.video.trackIndex }?.orientation
    return FrameTap(PictureSet(pictures, geometry: FrameGeometry(orientation: orientation ?? .upright), name: name))
  }

  private func encode(_ attempt: EncodingCheckpoint.Attempt?, tap: FrameTap? = nil) throws -> Result {
    if let attempt { try checkpoint?.begin(attempt) }
    return try encodeOnce(attempt?.encoding, tap: tap)
  }

  /// Whether an error may not occur if the encode starts again. Other errors, such as those of a source that is offline,
  /// don't depend on the stored GOPs.
  private func isAvoidable(_ error: any Error) -> Bool {
    error is EncodingCheckpoint.Mismatch || (!interruption.isInterrupted && error.preventsContinuation)
  }

  private func encodeOnce(_ encoding: VideoEncoding?, tap: FrameTap?) throws -> Result {
    // Copied video isn't decoded.
    let analyzer =
      encoding == nil
      ? nil : DecodingAnalyzer(analyzesFrames: evaluateDecoding != nil, durationSeconds: plan.durationSeconds)
    let seam = checkpoint?.seam
    if let seam {
      let stored = EncodingProgress(seconds: seam.seconds, durationSeconds: plan.durationSeconds)
      reportContinuation(stored)
      progress(stored.fraction)
    }
    let pipeline = try ClipPipeline(self, encoding: encoding, tap: tap, analyzer: analyzer)
    var report = try pipeline.write()
    report.notes += analyzer?.notes ?? []
    if let seam {
      report.notes.append(.encodeContinued(seconds: seam.seconds))
      if evaluateDecoding != nil {
        try analyzer?.analyzeOutput(
          at: path, durationSeconds: report.salvagedSeconds ?? plan.durationSeconds, interruption: interruption)
      }
    } else if checkpoint?.isOutdated == true {
      report.notes.append(.encodeRestarted(isOutdated: true))
    }
    let isCopy = plan.video.encoding == nil
    let (output, audit) = try Prober.probeOutput(
      path: path, interruption: interruption, known: isCopy ? probe.mainVideo : nil, origin: source.positions)
    return Result(
      probe: output, leftoverPlace: audit.leftoverPlace, report: report,
      decoding: evaluateDecoding != nil
        ? try analyzer?.result(of: MediaFile(source, interruption: interruption)) : nil)
  }

  func makeOutput() throws -> any MovieOutput {
    guard plan.placesIndexAtEnd == true, plan.video.encoding != nil else {
      return try OutputContainer(mp4At: path, interruption: interruption)
    }
    return try StreamedOutput(
      at: path, name: name, origin: source.positions, interruption: interruption, report: reportStream)
  }

  /// Opens the source for its audio only.
  /// - Parameter startSeconds: the start of a cut on the container's clock.
  func openAudioContainer(startSeconds: Double) throws -> InputContainer {
    let container = try source.openContainer(plan.analysis, interruption: interruption)
    guard plan.trim != nil else { return container }
    return try container.positionedAtKeyFrame(
      before: startSeconds, stream: container.stream(plan.video.trackIndex), interruption: interruption)
  }

  /// Notes about tracks that were omitted from the output and that a viewer might miss.
  private var omissions: [ProcessingNote] {
    var notes: [ProcessingNote] = []
    if plan.audio == nil, probe.mainAudio == nil, let audio = probe.audioTracks.first {
      let codec = audio.codec == "none" ? audio.codecTag ?? "unknown codec" : audio.codec
      notes.append(.audioUnsupported(track: audio.index, codec: codec))
    }
    let others =
      probe.audioTracks.filter { $0.isDecodable && plan.audio != nil && $0.index != plan.audio?.trackIndex }.map(
        \.index)
      + probe.videoTracks.filter { !$0.isAttachedPicture && $0.index != plan.video.trackIndex }.map(\.index)
      + probe.dataTracks.filter { $0.type == "subtitle" }.map(\.index)
    if !others.isEmpty { notes.append(.tracksOmitted(tracks: others.sorted())) }
    return notes
  }

  private func checkSize(_ result: inout Result) throws {
    let extra = result.probe.byteCount - probe.byteCount
    let cap = plan.video.encoding?.sizeCap
    if let cap, cap.isPromise, result.probe.byteCount > cap.byteCount {
      throw ClipMediaError.tooBig(name: name, byteCount: result.probe.byteCount, limit: cap.byteCount)
    }
    guard extra > 0, plan.trim == nil else { return }
    let isQualityLimited = cap.map { $0.bitsPerSecond < $0.floorBitsPerSecond } ?? false
    result.report.notes.append(
      .largerThanSource(byteCount: extra, isCopy: plan.video.encoding == nil, isQualityLimited: isQualityLimited))
  }

  /// Renders the pictures, from the transcoded frames if there are any, and otherwise from the output.
  private func renderPictures(_ tap: FrameTap?, into result: inout Result) throws -> FinishedPictures {
    guard !pictures.isEmpty else { return FinishedPictures() }
    do {
      // If the source is damaged, the output is shorter than planned.
      if let seconds = result.report.salvagedSeconds {
        let requests = pictures.map { PictureRequest($0.plan.shortened(to: seconds), path: $0.path) }
        return try PictureRendering.renderPictures(requests, of: path, interruption: interruption)
      }
      return try tap?.finish() ?? PictureRendering.renderPictures(pictures, of: path, interruption: interruption)
    } catch let error as any ExplainedError where error.explanation.category != .inputOutput {
      // A clip without pictures is better than no clip.
      if interruption.isInterrupted { throw error }
      result.report.notes.append(.picturesFailed(why: error.explanation.why))
      return FinishedPictures()
    }
  }
}
