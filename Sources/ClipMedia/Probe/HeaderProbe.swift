import ClipModel
import Foundation
import ISOMedia
import LibAV

/// Probes an MP4 or QuickTime file without libav. Reads only the file's boxes, sample tables, parameter sets and key
/// frame headers.
///
/// This is about ten times faster than libav's analysis, which takes 6 ms per file. A header probe only accepts simple
/// files: one sample entry per track, progressive H.264 or HEVC with parameter sets in the header, AAC with a standard
/// channel layout, and edits that only trim. Metadata keys and other properties that no rule needs aren't read.
struct HeaderProbe {
  let file: ISOFile
  let source: any ByteSource

  /// libav's name for the MP4 and QuickTime container family.
  private static let formatName = "mov,mp4,m4a,3gp,3g2,mj2"

  /// Probes the file.
  /// - Returns: the properties, or `nil` if some of them require libav.
  func probe() throws(ISOMediaError) -> ClipProbe? {
    guard file.movieTimescale > 0, !file.tracks.isEmpty, file.tracks.count <= InputContainer.trackLimit,
      Set(file.tracks.map(\.trackID)).count == file.tracks.count, file.implausibleTrack == nil
    else { return nil }
    var probe = ClipProbe(container: Self.formatName, byteCount: file.byteCount)
    for (index, track) in file.tracks.enumerated() {
      switch track.handlerType {
      case "vide":
        guard let video = try videoTrack(track, index: index) else { return nil }
        probe.videoTracks.append(video)
      case "soun":
        guard let audio = try audioTrack(track, index: index) else { return nil }
        probe.audioTracks.append(audio)
      // Depth maps, still images and tracks without a handler require libav.
      case "auxv", "pict", nil: return nil
      default:
        probe.dataTracks.append(
          DataTrack(
            index: index, type: "data", codecTag: track.sampleEntries.first?.format.description,
            handlerName: track.handlerName, durationSeconds: track.presentationSeconds))
      }
    }
    guard !probe.videoTracks.isEmpty else { return nil }
    probe.captureDate = file.creationDate?.ISO8601Format()
    return probe
  }

  private func videoTrack(_ track: ISOTrack, index: Int) throws(ISOMediaError) -> VideoTrack? {
    guard let entry = singleSampleEntry(of: track), let stored = entry.pictureSize,
      let setup = try entry.decoderSetup(in: source), Self.formats[entry.format] == setup.codec,
      setup.isComplete, let sequence = setup.sequence,
      sequence.isProgressive ?? (setup.codec == .hevc),
      let orientation = Self.orientation(track.displayMatrix),
      let samples = try file.samples(of: track, in: source), !samples.isEmpty
    else { return nil }
    let size = sequence.size(inContainer: stored)
    var video = VideoTrack(
      index: index, codec: setup.codec == .h264 ? "h264" : "hevc", width: size.width, height: size.height)
    video.codecTag = entry.format.description
    video.profile = sequence.profileName
    video.level = sequence.level
    video.pixelFormat = sequence.pixelFormat
    video.bitDepth = sequence.lumaBitDepth
    video.sampleAspectRatio =
      entry.pixelAspectRatio ?? Self.pixelAspectRatio(of: stored, to: track.displaySize)
      ?? sequence.usability?.sampleAspectRatio
    video.orientation = orientation
    video.averageFrameRate = samples.frameRate(timescale: track.timescale)
    video.frameCount = Int64(samples.count)
    video.bitsPerSecond = Self.bitsPerSecond(samples, track: track)
    video.color = Self.color(entry, sequence)
    video.isDefault = track.isEnabled
    video.fieldOrder = sequence.isProgressive == true ? "progressive" : nil
    video.language = track.language
    let shownSamples = ShownSamples(samples, of: track, movieTimescale: file.movieTimescale)
    let range = shownSamples.range
    video.shownFrameCount = Int64(shownSamples.frameCount)
    let shown = samples[range]
    video.hasVariableFrameRate = Prober.hasVariableIntervals(shown.map(\.decodeTicks))
    video.startSeconds = shownSamples.seconds?.lowerBound
    video.durationSeconds = shownSamples.seconds?.upperBound
    video.hiddenSeconds = shownSamples.hiddenSeconds
    video.hasParameterSets = true
    video.stalledSampleCount = samples.stalledCount
    // An edit may end inside the last group of pictures, and the header may declare a longer duration.
    let shownSeconds = Double(Array(shown).durationTicks) / Double(track.timescale)
    let end = min(shownSeconds, (track.presentationSeconds ?? .infinity) - startDelay(of: track))
    // Include the frames that the first shown frame depends on in its group of pictures.
    let first = samples[..<range.lowerBound].lastIndex(where: \.isSync)
    let startsWithKey = range.isEmpty || samples[range.lowerBound].isSync
    video.gop = try GOPReader(
      entries: samples[(startsWithKey ? range.lowerBound : first ?? range.lowerBound)..<range.upperBound].map {
        GOPReader.IndexEntry(ticks: $0.decodeTicks, isKeyFrame: $0.isSync, byteRange: $0.range)
      }, tickSeconds: 1 / Double(track.timescale), startSeconds: video.startSeconds,
      durationSeconds: end, units: NALUnitParser(setup: setup)
    ).readProperties(in: source)
    return video
  }

  private func audioTrack(_ track: ISOTrack, index: Int) throws(ISOMediaError) -> AudioTrack? {
    guard let entry = singleSampleEntry(of: track) else { return nil }
    var audio = AudioTrack(
      index: index, codec: "aac", codecTag: entry.format.description, sampleRate: 0, channelCount: 0)
    audio.durationSeconds = track.presentationSeconds
    audio.startSeconds = startDelay(of: track)
    audio.isDefault = track.isEnabled
    audio.language = track.language
    audio.stalledSampleCount = track.stalledSampleCount
    if let pcm = try entry.linearPCM(in: source) {
      (audio.codec, audio.sampleRate, audio.channelCount) = (pcm.codecName, pcm.sampleRate, pcm.channelCount)
      audio.bitsPerSecond = Int64(pcm.sampleRate * pcm.channelCount * pcm.bitsPerSample)
      return audio
    }
    guard entry.format == "mp4a", let stream = try entry.elementaryStream(in: source),
      Self.aacTypes.contains(stream.objectType), let aac = AACConfiguration(stream.decoderInfo),
      [2, 5].contains(aac.objectType), aac.channelCount > 0,
      // Mono audio at a low sample rate may be stereo with SBR and PS, which only decoding can determine.
      aac.channelCount > 1 || aac.sampleRate > 24_000
    else { return nil }
    (audio.sampleRate, audio.channelCount) = (aac.sampleRate, aac.channelCount)
    if stream.averageBitsPerSecond > 0 { audio.bitsPerSecond = Int64(stream.averageBitsPerSecond) }
    return audio
  }

  /// The supported video sample entries.
  private static let formats: [FourCC: NALUnitCodec] = ["avc1": .h264, "hvc1": .hevc, "hev1": .hevc]
  /// The object types of MPEG-4 AAC and of the three MPEG-2 AAC profiles.
  private static let aacTypes: Set<UInt8> = [0x40, 0x66, 0x67, 0x68]

  private func singleSampleEntry(of track: ISOTrack) -> SampleEntry? {
    guard track.sampleEntries.count == 1, track.timescale > 0, track.hasSimpleEdits else { return nil }
    return track.sampleEntries.first
  }

  /// Converts a display matrix to an orientation.
  /// - Returns: `nil` if the matrix does more than rotate and mirror.
  private static func orientation(_ matrix: [Int32]) -> Orientation? {
    guard !matrix.isEmpty else { return .upright }
    let parts = [matrix[0], matrix[1], matrix[3], matrix[4]].map(\.magnitude)
    guard parts.allSatisfy({ $0 == 0 || $0 == 1 << 16 }) else { return nil }
    return Orientation(displayMatrix: matrix)
  }

  /// Returns the pixel aspect ratio if the display size differs from the stored size.
  private static func pixelAspectRatio(of stored: PictureSize, to shown: PictureSize?) -> Rational? {
    guard let shown, shown != stored, stored.width > 0, stored.height > 0 else { return nil }
    return Rational(reducing: Int64(shown.width * stored.height), Int64(shown.height * stored.width))
  }

  // MARK: Times

  /// The length of an initial empty edit in seconds.
  private func startDelay(of track: ISOTrack) -> Double {
    guard let first = track.edits.first, first.mediaTime == nil else { return 0 }
    return Double(first.segmentDuration) / Double(file.movieTimescale)
  }

  private static func bitsPerSecond(_ samples: [MediaSample], track: ISOTrack) -> Int64? {
    guard samples.durationTicks > 0 else { return nil }
    let bytes = samples.reduce(0.0) { $0 + Double($1.range.count) }
    return Int64(saturating: bytes * 8 * Double(track.timescale) / Double(samples.durationTicks))
  }

  // MARK: Color

  /// Returns the color properties of the bitstream, which libav's decoders also prefer, or otherwise those of the
  /// container.
  private static func color(_ entry: SampleEntry, _ sequence: SequenceParameters) -> ColorDescription {
    let container = entry.color.map {
      ColorCodes(primaries: Int($0.primaries), transfer: Int($0.transfer), matrix: Int($0.matrix))
    }
    let codes = [sequence.usability?.color, container].compactMap(\.self).first { $0.transferName != nil }
    let isFullRange = sequence.usability?.isFullRange ?? entry.color?.isFullRange
    var color = ColorDescription()
    color.range = isFullRange.map { $0 ? "pc" : "tv" }
    color.chromaLocation = sequence.chromaLocationName
    if let codes { color.apply(codes) }
    color.dolbyVisionProfile = entry.dolbyVision?.profile
    color.dolbyVisionCompatibility = entry.dolbyVision?.compatibilityID
    return color
  }
}

extension [MediaSample] {
  /// The average frame rate.
  func frameRate(timescale: UInt32) -> Rational? {
    Rational(reducing: Int64(count) * Int64(timescale), durationTicks)
  }
}

extension ColorDescription {
  mutating func apply(_ codes: ColorCodes) {
    (primaries, transfer, matrix) = (codes.primariesName, codes.transferName, codes.matrixName)
    dynamicRange = transfer == "arib-std-b67" ? .hlg : transfer == "smpte2084" ? .pq : .sdr
  }
}
