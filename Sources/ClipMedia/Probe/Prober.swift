public import ClipModel
import Foundation
public import ISOMedia
import LibAV
public import Privacy

/// Probes media files. Only this type creates a `ClipProbe` from a file.
public enum Prober {
  /// Reads all properties of a media file.
  /// - Parameter path: the path of the file.
  /// - Throws: `ClipMediaError.notMedia` or `.cutOff`, `FFmpegError`, or `DurableFileError` if the file is missing or
  ///   unreadable.
  public static func probe(path: String) async throws -> ClipProbe {
    try await MediaThread.run(named: "bsc probe") { interruption in
      try probeAndAudit(MediaFile(path: path, interruption: interruption), interruption: interruption).probe
    }
  }

  /// Reads the properties that rules need. For MP4 and QuickTime files, reading the headers is often enough and ten
  /// times faster. Other files are read with libav, which analyzes packets only if the headers are incomplete.
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - depth: how thoroughly to search for private metadata.
  /// - Throws: the errors thrown by `probe(path:)`, and `ISOMediaError`.
  public static func probeForRules(path: String, depth: Auditor.Depth = .structure) async throws -> ClipProbe {
    try await MediaThread.run(named: "bsc probe") { interruption in
      let source = try MediaFile(path: path, interruption: interruption)
      if let file = source.file {
        if let probe = try probeHeaders(of: file, in: source.bytes, depth: depth) { return probe }
        try interruption.check()
        let quick = try probeAndAudit(source, interruption: interruption, analysis: .never, depth: depth).probe
        let isAudioKnown = quick.audioTracks.allSatisfy { $0.channelCount > 0 && $0.sampleRate > 0 }
        if isAudioKnown, quick.videoTracks.allSatisfy(\.isFullyKnown) { return quick }
      }
      return try probeAndAudit(source, interruption: interruption, depth: depth).probe
    }
  }

  /// Reads the properties of an MP4 or QuickTime file from its headers, on the caller's thread.
  /// - Returns: the properties, or `nil` if the file has a different format or some properties require libav.
  public static func probeHeaders(of source: any ByteSource) throws(ISOMediaError) -> ClipProbe? {
    guard let file = try ISOFile.read(from: source) else { return nil }
    return try probeHeaders(of: file, in: source, depth: .structure)
  }

  private static func probeHeaders(
    of file: ISOFile, in source: any ByteSource, depth: Auditor.Depth
  ) throws(ISOMediaError) -> ClipProbe? {
    guard var probe = try HeaderProbe(file: file, source: source).probe() else { return nil }
    try addBoxProperties(to: &probe, bytes: source, file: file, depth: depth) { $0 }
    probe.bitsPerSecond = probe.durationSeconds.flatMap {
      $0 > 0 ? Int64(saturating: Double(probe.byteCount) * 8 / $0) : nil
    }
    return probe
  }

  /// Probes and audits an output.
  /// - Parameters:
  ///   - known: the source's video track if its packets were copied, which provides the properties that require
  ///     decoding.
  ///   - origin: the source's GPS positions, which the audit searches for.
  static func probeOutput(
    path: String, interruption: Interruption, known: VideoTrack?, origin: SourcePositions
  ) throws -> (probe: ClipProbe, audit: AuditReport) {
    try probeAndAudit(
      MediaFile(path: path, interruption: interruption), interruption: interruption, known: known,
      analysis: known == nil ? .always : .whenNeeded, depth: .everything, origin: origin)
  }

  /// - Parameter keyFrameLimit: the maximum number of key frames whose times are read.
  static func probeAndAudit(
    _ source: MediaFile, interruption: Interruption, known: VideoTrack? = nil,
    analysis: InputContainer.Analysis = .always, depth: Auditor.Depth = .structure, origin: SourcePositions? = nil,
    keyFrameLimit: Int = GOPReader.timesLimit
  ) throws -> (probe: ClipProbe, audit: AuditReport) {
    let container = try source.open(analysis, interruption: interruption)
    let file = source.file
    let streams = container.streams
    var probe = ClipProbe(container: container.formatName, byteCount: source.bytes.byteCount)
    probe.durationSeconds = container.presentationSeconds
    probe.bitsPerSecond = container.bitsPerSecond
    probe.videoTracks = try streams.filter { $0.kind == .video }.map {
      try videoTrack($0, in: container, of: source, keyFrameLimit: keyFrameLimit)
    }
    probe.audioTracks = streams.filter { $0.kind == .audio }.map(audioTrack)
    probe.dataTracks = streams.filter { $0.kind != .video && $0.kind != .audio }.map(dataTrack)
    if file == nil { try scan(container, of: source, into: &probe, interruption: interruption) }
    let brands: Set = ["major_brand", "minor_version", "compatible_brands"]
    probe.majorBrand = container.metadata["major_brand"]
    probe.metadataKeys = container.metadata.keys.filter { !brands.contains($0) }.sorted()
    probe.captureDate = container.metadata["creation_time"]
    let audit = try addBoxProperties(to: &probe, bytes: source.bytes, file: file, depth: depth, origin: origin) {
      index in
      let id = streams.first { $0.index == index }?.trackID
      // libav's streams have the same order as the tracks, so prefer the same index in case track IDs aren't unique.
      let ids = file?.tracks.map { Int($0.trackID) } ?? []
      return ids.indices.contains(index) && ids[index] == id ? index : ids.firstIndex { $0 == id }
    }
    if let known, probe.videoTracks.count == 1 {
      probe.videoTracks[0].profile = known.profile
      probe.videoTracks[0].level = known.level
      probe.videoTracks[0].pixelFormat = known.pixelFormat
      probe.videoTracks[0].bitDepth = known.bitDepth
      probe.videoTracks[0].color = known.color
      probe.videoTracks[0].fieldOrder = known.fieldOrder
    }
    return (probe, audit)
  }

  private static func videoTrack(
    _ stream: SourceStream, in container: InputContainer, of source: MediaFile, keyFrameLimit: Int
  ) throws(ISOMediaError) -> VideoTrack {
    let isFragmented = source.file?.isFragmented ?? false
    var track = VideoTrack(
      index: stream.index, codec: stream.codecName, width: stream.width, height: stream.height)
    track.codecTag = stream.codecTag
    track.profile = stream.profileName
    track.level = stream.level
    track.pixelFormat = stream.pixelFormat?.description
    track.bitDepth = stream.pixelFormat?.bitDepth
    track.sampleAspectRatio = stream.sampleAspectRatio
    track.orientation = stream.orientation
    track.averageFrameRate = stream.averageFrameRate
    track.realFrameRate = stream.realFrameRate
    track.frameCount = stream.frameCount
    track.durationSeconds = stream.duration?.seconds ?? container.presentationSeconds
    track.startSeconds = stream.start?.seconds
    track.bitsPerSecond = stream.bitsPerSecond
    track.color = stream.color
    track.isDefault = stream.isDefault
    track.isAttachedPicture = stream.isAttachedPicture
    track.fieldOrder = stream.fieldOrder
    track.language = language(stream)
    track.hasDecoder = stream.isDecodable
    let entries = isFragmented ? [] : stream.indexEntries
    // Only containers with a complete index have the following properties. Matroska indexes only key frames, and libav
    // indexes fragments while it reads them.
    if isFragmented { track.bitsPerSecond = nil }
    if entries.count > 1, let count = stream.frameCount, entries.count >= count {
      // Include the frames that the first shown frame depends on in its group of pictures.
      let firstShown = entries.firstIndex { !$0.isDiscarded } ?? 0
      let first = entries[...firstShown].lastIndex(where: \.isKeyFrame) ?? firstShown
      let shown = entries[first...].filter { !$0.isDiscarded || $0.ticks < entries[firstShown].ticks }
      let lastShown = entries.lastIndex { !$0.isDiscarded } ?? entries.count - 1
      track.hasVariableFrameRate = hasVariableIntervals(entries[firstShown...lastShown].map(\.ticks)) ?? false
      track.gop = try GOPReader(
        entries: shown.map {
          GOPReader.IndexEntry(ticks: $0.ticks, isKeyFrame: $0.isKeyFrame, byteRange: $0.byteRange)
        },
        tickSeconds: stream.timeBase.value, startSeconds: track.startSeconds, durationSeconds: track.durationSeconds,
        units: NALUnitParser(stream), timesLimit: keyFrameLimit
      ).readProperties(in: container.hasTrackDurations ? source.bytes : nil)
    }
    if ["h264", "hevc"].contains(track.codec) {
      let sequence = stream.decoderSetup?.sequence
      if let sequence { track.addMissingProperties(from: sequence) }
      // A pixel format means that libav found parameter sets in the bitstream.
      let isInHeader = sequence != nil && stream.decoderSetup?.isComplete == true
      track.hasParameterSets = isInHeader || (container.analysis == .always && stream.pixelFormat != nil)
    }
    return track
  }

  /// Returns whether the intervals between timestamps differ by more than a tick, or `nil` for fewer than two
  /// timestamps.
  static func hasVariableIntervals(_ ticks: [Int64]) -> Bool? {
    let distances = zip(ticks, ticks.dropFirst()).map { $1 - $0 }
    guard let least = distances.min(), let most = distances.max() else { return nil }
    return most - least > 1
  }

  private static func audioTrack(_ stream: SourceStream) -> AudioTrack {
    var track = AudioTrack(
      index: stream.index, codec: stream.codecName, codecTag: stream.codecTag, sampleRate: stream.sampleRate,
      channelCount: stream.channelCount)
    track.profile = stream.profileName
    track.channelLayout = stream.channelLayoutName
    track.bitsPerSecond = stream.bitsPerSecond
    track.durationSeconds = stream.duration?.seconds
    track.startSeconds = stream.start?.seconds
    track.isDefault = stream.isDefault
    track.language = language(stream)
    track.hasDecoder = stream.isDecodable
    return track
  }

  private static func dataTrack(_ stream: SourceStream) -> DataTrack {
    DataTrack(
      index: stream.index, type: stream.kind.rawValue, codecTag: stream.codecTag,
      codec: stream.codecName == "none" ? nil : stream.codecName, handlerName: stream.metadata["handler_name"],
      durationSeconds: stream.duration?.seconds)
  }

  private static func language(_ stream: SourceStream) -> String? {
    stream.metadata["language"].flatMap { $0 == "und" ? nil : $0 }
  }
}

extension VideoTrack {
  /// Adds properties that libav didn't report. If libav skipped its analysis, most properties are missing. Otherwise,
  /// only the HEVC scan type is missing.
  fileprivate mutating func addMissingProperties(from sequence: SequenceParameters) {
    profile = profile ?? sequence.profileName
    level = level ?? sequence.level
    pixelFormat = pixelFormat ?? sequence.pixelFormat
    bitDepth = bitDepth ?? sequence.lumaBitDepth
    if fieldOrder == nil, sequence.isProgressive == true { fieldOrder = "progressive" }
    if color.transfer == nil, let codes = sequence.usability?.color { color.apply(codes) }
  }

  /// Whether all properties that rules need are known. For codecs other than H.264 and HEVC, the container provides
  /// these properties.
  fileprivate var isFullyKnown: Bool {
    guard width > 0, height > 0, averageFrameRate != nil else { return isAttachedPicture }
    return !["h264", "hevc"].contains(codec)
      || hasParameterSets == true && (pixelFormat != nil && (fieldOrder != nil || codec == "hevc"))
  }
}
