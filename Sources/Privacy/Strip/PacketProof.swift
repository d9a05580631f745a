import ClipModel
import Crypto
import DurableFiles
import ISOMedia
import LocationFormats

/// The proof that video and audio are unchanged. It contains a digest of each track's packets, which are the same in
/// both files.
public struct PacketProof: Codable, Equatable, Sendable {
  /// A track that is in both files.
  public struct Track: Codable, Equatable, Sendable {
    /// `track 1 (avc1)`.
    public var track: String
    /// The number of packets that were compared.
    public var packetCount: Int
    /// The number of access units from which a message was removed. All their other bytes are unchanged.
    public var cutCount: Int
    /// The SHA-256 digest of the packets in the written file, as 64 hexadecimal digits.
    public var sha256: String
  }

  /// The tracks in the order of the written file.
  public var tracks: [Track]
}

/// Compares the packets of a movie with those of its source, using each file's sample tables.
struct MovieProof {
  let source: any ByteSource
  let file: ISOFile
  let output: any ByteSource
  let outputFile: ISOFile
  /// The cuts in samples, sorted.
  let cuts: [MovieEdits.Cut]
  let name: String

  func run() throws -> PacketProof {
    PacketProof(
      tracks: try outputFile.tracks.map { track in
        guard let original = file.tracks.first(where: { $0.trackID == track.trackID }) else {
          throw StripError.notIdentical(name: name, why: "the source has no track \(track.trackID)")
        }
        return try compare(original, with: track)
      })
  }

  private func compare(_ original: ISOTrack, with track: ISOTrack) throws -> PacketProof.Track {
    let label = MovieAudit.trackLabel(track)
    let before = try packetRanges(of: original, file: file, in: source)
    let after = try packetRanges(of: track, file: outputFile, in: output)
    guard before.count == after.count else {
      throw StripError.notIdentical(
        name: name, why: "\(label): expected \(before.count) packets, got \(after.count)")
    }
    guard original.timescale == track.timescale, original.edits == track.edits,
      original.mediaDurationTicks == track.mediaDurationTicks,
      original.presentationSeconds == track.presentationSeconds
    else { throw StripError.notIdentical(name: name, why: "the timestamps of \(label) changed") }
    var hasher = SHA256()
    var cutCount = 0
    for (old, new) in zip(before, after) {
      let inside = cuts[firstCut(at: old.lowerBound)...].prefix { $0.range.lowerBound < old.upperBound }
      let bytes = try output.bytes(in: new, atMost: Int(new.count))
      guard bytes == (try applyCuts(old, inside)) else {
        throw StripError.notIdentical(name: name, why: "\(label): the packet at byte \(old.lowerBound) changed")
      }
      if !inside.isEmpty { cutCount += 1 }
      hasher.update(data: bytes)
    }
    return PacketProof.Track(
      track: label, packetCount: before.count, cutCount: cutCount,
      sha256: FileDigest.hexadecimal(hasher.finalize()))
  }

  /// Returns the index of the first cut that ends after an offset.
  private func firstCut(at position: Int64) -> Int {
    cuts.partitioningIndex { $0.range.upperBound > position }
  }

  private func applyCuts(_ range: Range<Int64>, _ cuts: ArraySlice<MovieEdits.Cut>) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var position = range.lowerBound
    for cut in cuts {
      bytes += try source.bytes(in: position..<max(position, cut.range.lowerBound), atMost: Int(range.count))
      bytes += cut.replacement
      position = cut.range.upperBound
    }
    bytes += try source.bytes(in: position..<max(position, range.upperBound), atMost: Int(range.count))
    return bytes
  }

  /// Returns the ranges of the packets. For uncompressed audio, returns the ranges of the chunks.
  private func packetRanges(of track: ISOTrack, file: ISOFile, in source: any ByteSource) throws -> [Range<Int64>] {
    var ranges: [Range<Int64>] = []
    if let table = track.table, !table.hasSampleSizes {
      try table.forEachChunk(in: source) { chunk in
        ranges.append(chunk.offset..<chunk.offset + chunk.byteCount)
        return true
      }
      return ranges
    }
    try file.forEachSample(of: track, in: source) { range in
      ranges.append(range)
      return true
    }
    return ranges
  }
}
