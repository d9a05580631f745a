/// Writes an MP4 file from start to end, so that its first bytes can be sent while the rest is still being created.
///
/// The file consists of `ftyp`, an `mdat` box per batch of samples, and `moov` at the end. Every returned byte is final.
/// The file isn't fragmented: its sample tables are those that libav writes for the same packets.
package struct StreamedMovieWriter {
  /// A sample to write. Times are in ticks of the track's media timescale, and can be negative.
  package struct Sample {
    /// The index of the track in the template.
    package var track: Int
    package var presentationTicks: Int64
    package var decodingTicks: Int64
    /// The duration, which matters only for the last sample of a track. The others end when the next sample is decoded.
    package var durationTicks: Int64
    package var isSync: Bool
    package var bytes: [UInt8]

    package init(
      track: Int, presentationTicks: Int64, decodingTicks: Int64, durationTicks: Int64, isSync: Bool, bytes: [UInt8]
    ) {
      self.track = track
      self.presentationTicks = presentationTicks
      self.decodingTicks = decodingTicks
      self.durationTicks = durationTicks
      self.isSync = isSync
      self.bytes = bytes
    }
  }

  /// Thrown if samples or the template can't become a movie.
  package enum Failure: Error, Equatable {
    /// The template has no movie with tracks.
    case unusableTemplate
    /// A sample has an unknown track, isn't later than the previous one of its track, or is too far from its decoding
    /// time.
    case invalidSample(track: Int, decodingTicks: Int64)
  }

  /// The number of bytes that were returned.
  package private(set) var byteCount: Int64 = 0
  private let template: MemoryBytes
  private let movie: Box
  private let file: ISOFile
  private var tables: [StreamedTrackTables]

  /// - Parameter template: an initialization segment: a `moov` box whose tracks have sample descriptions, but no samples.
  package init(template bytes: [UInt8]) throws {
    template = MemoryBytes(bytes)
    guard let file = try ISOFile.read(from: template), file.movieTimescale > 0,
      let movie = file.topLevelBoxes.first(where: { $0.type == "moov" }),
      !file.tracks.isEmpty, file.tracks.allSatisfy({ $0.timescale > 0 && !$0.sampleEntries.isEmpty })
    else { throw Failure.unusableTemplate }
    (self.file, self.movie) = (file, movie)
    tables = file.tracks.map { _ in StreamedTrackTables() }
  }

  /// The sample format of each track, such as `avc1`.
  package var sampleFormats: [FourCC] { file.tracks.map { $0.sampleEntries[0].format } }

  /// Returns the beginning of the file.
  package mutating func start() -> [UInt8] {
    var writer = BoxWriter()
    let isAVC = file.tracks.contains { $0.sampleEntries.contains { $0.format == "avc1" } }
    writer.box("ftyp") { box in
      box.fourCC("isom")
      box.u32(0x200)
      box.fourCC("isom")
      box.fourCC("iso2")
      if isAVC { box.fourCC("avc1") }
      box.fourCC("mp41")
    }
    return count(writer.bytes)
  }

  /// Returns an `mdat` box with the samples in the given order. Adjacent samples of a track become a chunk.
  package mutating func write(_ samples: [Sample]) throws -> [UInt8] {
    guard !samples.isEmpty else { return [] }
    var writer = BoxWriter()
    writer.header("mdat", payloadCount: samples.reduce(0) { $0 + Int64($1.bytes.count) })
    var last: Int?
    for sample in samples {
      guard tables.indices.contains(sample.track), tables[sample.track].accepts(sample) else {
        throw Failure.invalidSample(track: sample.track, decodingTicks: sample.decodingTicks)
      }
      let offset = byteCount + Int64(writer.bytes.count)
      tables[sample.track].add(sample, chunkOffset: sample.track == last ? nil : offset)
      last = sample.track
      writer.append(sample.bytes)
    }
    return count(writer.bytes)
  }

  /// Returns the end of the file.
  package mutating func finish() throws -> [UInt8] {
    var writer = BoxWriter()
    let durations = zip(file.tracks, tables).map { $1.presentationDuration(in: movieTimescale, of: $0.timescale) }
    var reader = BoxReader(source: template, childrenOf: movie)
    let boxes = try reader.remainingBoxes()
    var content: [UInt8] = []
    for box in boxes {
      switch box.type {
      case "mvhd": content += try header(box, durationOffset: 4, duration: durations.max() ?? 0)
      case "mvex": break
      case "trak":
        // Readers would list a track without samples, for example if the audio ends before a part starts.
        guard let index = file.tracks.firstIndex(where: { $0.box.range == box.range }), !tables[index].isEmpty else {
          continue
        }
        content += try track(box, index: index, duration: durations[index])
      default: content += bytes(of: box)
      }
    }
    writer.box("moov") { $0.append(content) }
    return count(writer.bytes)
  }

  private mutating func count(_ bytes: [UInt8]) -> [UInt8] {
    byteCount += Int64(bytes.count)
    return bytes
  }

  // MARK: Movie header

  private var movieTimescale: UInt32 { file.movieTimescale }

  private func bytes(of box: Box) -> [UInt8] { template.bytes(at: box.range.lowerBound, count: box.range.count) }

  private func children(of box: Box) throws -> [Box] {
    var reader = BoxReader(source: template, childrenOf: box)
    return try reader.remainingBoxes()
  }

  /// Returns a container with changed children.
  private func container(_ box: Box, _ change: (Box) throws -> [UInt8]) throws -> [UInt8] {
    var writer = BoxWriter()
    let content = try children(of: box).flatMap(change)
    writer.box(box.type) { $0.append(content) }
    return writer.bytes
  }

  private func track(_ box: Box, index: Int, duration: UInt64) throws -> [UInt8] {
    let (track, table) = (file.tracks[index], tables[index])
    return try container(box) { child in
      switch child.type {
      case "tkhd":
        return try header(child, durationOffset: 8, duration: duration)
          + table.editList(movieTimescale: movieTimescale, timescale: track.timescale)
      case "edts": return []
      case "mdia":
        return try container(child) { part in
          switch part.type {
          case "mdhd": try header(part, durationOffset: 4, duration: UInt64(max(table.mediaTicks, 0)))
          case "minf": try container(part) { $0.type == "stbl" ? try sampleTable($0, index: index) : bytes(of: $0) }
          default: bytes(of: part)
          }
        }
      default: return bytes(of: child)
      }
    }
  }

  private func sampleTable(_ box: Box, index: Int) throws -> [UInt8] {
    let (track, table) = (file.tracks[index], tables[index])
    var writer = BoxWriter()
    let descriptions = try children(of: box).first { $0.type == "stsd" }
    writer.box("stbl") { writer in
      if let descriptions { writer.append(describe(descriptions, of: track, table)) }
      table.write(to: &writer)
      // AAC needs the packet before the first one that is played.
      if track.sampleEntries.contains(where: { $0.format == "mp4a" }) { table.writePreroll(to: &writer) }
    }
    return writer.bytes
  }

  /// Returns the sample descriptions with the track's average bit rate, which the template can't contain.
  private func describe(_ box: Box, of track: ISOTrack, _ table: StreamedTrackTables) -> [UInt8] {
    var bytes = bytes(of: box)
    for part in track.sampleEntries.flatMap(\.extensions) where part.type == "btrt" && part.payload.count == 12 {
      let offset = Int(part.payload.lowerBound - box.range.lowerBound)
      let rate = table.averageBitsPerSecond(timescale: track.timescale)
      let highest = bytes[offset + 4..<offset + 8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      var writer = BoxWriter()
      writer.u32(max(highest, rate))
      writer.u32(rate)
      bytes.replaceSubrange(offset + 4..<offset + 12, with: writer.bytes)
    }
    return bytes
  }

  /// Returns a header box with a new duration.
  /// - Parameter durationOffset: the number of bytes between the dates and the duration.
  private func header(_ box: Box, durationOffset: Int, duration: UInt64) throws -> [UInt8] {
    var cursor = ByteCursor(template.bytes(at: box.payload.lowerBound, count: box.payload.count))
    guard let (is64Bit, flags) = cursor.fullBoxHeader(), let created = cursor.unsigned(is64Bit: is64Bit),
      let modified = cursor.unsigned(is64Bit: is64Bit), let fields = cursor.take(durationOffset),
      cursor.unsigned(is64Bit: is64Bit) != nil, let rest = cursor.take(cursor.remaining)
    else { throw Failure.unusableTemplate }
    let isWide = is64Bit || duration > UInt64(UInt32.max)
    var writer = BoxWriter()
    writer.fullBox(box.type, version: isWide ? 1 : 0, flags: flags) { writer in
      writer.unsigned(created, is64Bit: isWide)
      writer.unsigned(modified, is64Bit: isWide)
      writer.append(fields)
      writer.unsigned(duration, is64Bit: isWide)
      writer.append(rest)
    }
    return writer.bytes
  }
}
