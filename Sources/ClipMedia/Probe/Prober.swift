public import ClipModel
import Foundation
public import ISOMedia
import LibAV
public import Privacy

/// Reads what a media file is: the only code that turns a file into a `ClipProbe`.
public enum Prober {
  /// - Throws: `ClipMediaError.notMedia` or `.cutOff`, `FFmpegError`, `DurableFileError` for a missing or unreadable file.
  public static func probe(path: String) async throws -> ClipProbe {
    try await MediaThread.run(named: "bsc probe") { interruption in
      try probe(path: path, interruption: interruption)
    }
  }

  /// Reads what rules ask. MP4 and QuickTime are judged by their headers where those tell everything, in a tenth of the
  /// time; any other file by libav, with its analysis only where something would be missing without it.
  /// - Parameters:
  ///   - path: of the file.
  ///   - depth: of the search for what is private.
  /// - Throws: as `probe`, and `ISOMediaError`.
  public static func facts(path: String, depth: Auditor.Depth = .structure) async throws -> ClipProbe {
    try await MediaThread.run(named: "bsc probe") { interruption in
      let source = try MediaFile(path: path, interruption: interruption)
      if let file = source.file {
        if let probe = try headers(of: file, in: source.bytes, depth: depth) { return probe }
        try interruption.check()
        let quick = try probe(source, interruption: interruption, analysis: .never, depth: depth)
        let tellsSound = quick.audioTracks.allSatisfy { $0.channelCount > 0 && $0.sampleRate > 0 }
        if tellsSound, quick.videoTracks.allSatisfy(\.tellsItsPictures) { return quick }
      }
      return try probe(source, interruption: interruption, depth: depth)
    }
  }

  /// What the headers of an MP4 or QuickTime file tell, from bytes anywhere; on this thread.
  /// - Returns: `nil` for any other file, and when something needs libav.
  public static func headers(of source: any ByteSource) throws(ISOMediaError) -> ClipProbe? {
    guard let file = try ISOFile.read(from: source) else { return nil }
    return try headers(of: file, in: source, depth: .structure)
  }

  private static func headers(
    of file: ISOFile, in source: any ByteSource, depth: Auditor.Depth
  ) throws(ISOMediaError) -> ClipProbe? {
    guard var probe = try HeaderProbe(file: file, source: source).probe() else { return nil }
    try addBoxFacts(to: &probe, bytes: source, file: file, depth: depth) { $0 }
    probe.bitsPerSecond = probe.durationSeconds.flatMap {
      $0 > 0 ? Int64(saturating: Double(probe.byteCount) * 8 / $0) : nil
    }
    return probe
  }

  static func probe(path: String, interruption: Interruption) throws -> ClipProbe {
    try probe(MediaFile(path: path, interruption: interruption), interruption: interruption)
  }

  private static func probe(
    _ source: MediaFile, interruption: Interruption, analysis: InputContainer.Analysis = .always,
    depth: Auditor.Depth = .structure
  ) throws -> ClipProbe {
    try probeAndAudit(source, interruption: interruption, analysis: analysis, depth: depth).probe
  }

  /// An output that has no name yet: its facts, and everything private in it.
  /// - Parameters:
  ///   - known: the source's track when its packets were copied: facts that take decoding are the same.
  ///   - origin: the source's positions, which are searched for as well.
  static func probeOutput(
    path: String, interruption: Interruption, known: VideoTrack?, origin: SourcePositions
  ) throws -> (probe: ClipProbe, audit: AuditReport) {
    try probeAndAudit(
      MediaFile(path: path, interruption: interruption), interruption: interruption, known: known,
      analysis: known == nil ? .always : .whenNeeded, depth: .everything, origin: origin)
  }

  /// - Parameter keyFrameLimit: the number of key frames whose times are read.
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
    if file == nil { try survey(container, of: source, into: &probe, interruption: interruption) }
    let brands: Set = ["major_brand", "minor_version", "compatible_brands"]
    probe.majorBrand = container.metadata["major_brand"]
    probe.metadataKeys = container.metadata.keys.filter { !brands.contains($0) }.sorted()
    probe.captureDate = container.metadata["creation_time"]
    let audit = try addBoxFacts(to: &probe, bytes: source.bytes, file: file, depth: depth, origin: origin) { index in
      let id = streams.first { $0.index == index }?.trackID
      // libav's streams are in the order of the tracks; ids that are there twice tell nothing.
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
    track.pixelFormat = stream.pixelFormat?.name
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
    // Only containers that index every frame can tell; Matroska and the like index key frames, and libav fragments as it
    // comes to them.
    if isFragmented { track.bitsPerSecond = nil }
    if entries.count > 1, let count = stream.frameCount, entries.count >= count {
      // What has to be decoded for the first picture is a part of its group.
      let firstShown = entries.firstIndex { !$0.isDiscarded } ?? 0
      let first = entries[...firstShown].lastIndex(where: \.isKeyFrame) ?? firstShown
      let shown = entries[first...].filter { !$0.isDiscarded || $0.ticks < entries[firstShown].ticks }
      let lastShown = entries.lastIndex { !$0.isDiscarded } ?? entries.count - 1
      track.hasVariableFrameRate = hasVariableFrameRate(entries[firstShown...lastShown])
      track.gop = try GOPReader(
        entries: shown.map { GOPReader.Entry(ticks: $0.ticks, isKeyFrame: $0.isKeyFrame, byteRange: $0.byteRange) },
        tickSeconds: stream.timeBase.value, startSeconds: track.startSeconds, durationSeconds: track.durationSeconds,
        units: NALUnitParser(stream), timesLimit: keyFrameLimit
      ).facts(in: container.hasTrackDurations ? source.bytes : nil)
    }
    if ["h264", "hevc"].contains(track.codec) {
      let sequence = stream.decoderSetup?.sequence
      if let sequence { track.complete(from: sequence) }
      // Sets inside of the bitstream were found when they gave a pixel format.
      let isTold = sequence != nil && stream.decoderSetup?.isComplete == true
      track.hasParameterSets = isTold || (container.analysis == .always && stream.pixelFormat != nil)
    }
    return track
  }

  private static func hasVariableFrameRate(_ entries: ArraySlice<SourceStream.IndexEntry>) -> Bool {
    let distances = zip(entries, entries.dropFirst()).map { $1.ticks - $0.ticks }
    guard let least = distances.min(), let most = distances.max() else { return false }
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
  /// What libav did not say: without its analysis most of it, with it how HEVC is scanned.
  fileprivate mutating func complete(from sequence: SequenceParameters) {
    profile = profile ?? sequence.profileName
    level = level ?? sequence.level
    pixelFormat = pixelFormat ?? sequence.pixelFormat
    bitDepth = bitDepth ?? sequence.lumaBitDepth
    if fieldOrder == nil, sequence.isProgressive == true { fieldOrder = "progressive" }
    if color.transfer == nil, let codes = sequence.usability?.colour { color.take(codes) }
  }

  /// Nothing that rules ask of its pictures is open. Of other codecs they ask no more than the container tells.
  fileprivate var tellsItsPictures: Bool {
    guard width > 0, height > 0, averageFrameRate != nil else { return isAttachedPicture }
    return !["h264", "hevc"].contains(codec)
      || hasParameterSets == true && (pixelFormat != nil && (fieldOrder != nil || codec == "hevc"))
  }
}
