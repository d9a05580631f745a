import ClipModel
import Crypto
import DurableFiles
import ISOMedia
import LocationFormats

/// That picture and sound are the same: digests of all packets of a track, read back from both files.
public struct PacketProof: Codable, Equatable, Sendable {
  /// One track of both files.
  public struct Track: Codable, Equatable, Sendable {
    /// `track 1 (avc1)`.
    public var track: String
    /// How many were compared.
    public var packetCount: Int
    /// Access units that lost a message; all other bytes of them are the same.
    public var cutCount: Int
    /// SHA-256 over the packets of the written file, 64 hexadecimal digits.
    public var sha256: String
  }

  /// In the order of the written file.
  public var tracks: [Track]
}

/// Makes the proof for movies: packet by packet, from each file's own tables.
struct MovieProof {
  let source: any ByteSource
  let file: ISOFile
  let output: any ByteSource
  let outputFile: ISOFile
  /// What was cut out of samples, sorted.
  let cuts: [MovieEdits.Cut]
  let name: String

  func run() throws -> PacketProof {
    var proofs: [PacketProof.Track] = []
    for track in outputFile.tracks {
      guard let original = file.tracks.first(where: { $0.trackID == track.trackID }) else {
        throw StripError.notIdentical(name: name, why: "track \(track.trackID) came from nowhere")
      }
      proofs.append(try compare(original, with: track))
    }
    return PacketProof(tracks: proofs)
  }

  private func compare(_ original: ISOTrack, with track: ISOTrack) throws -> PacketProof.Track {
    let place = MovieAudit.place(track)
    let before = try ranges(of: original, file: file, in: source)
    let after = try ranges(of: track, file: outputFile, in: output)
    guard before.count == after.count else {
      throw StripError.notIdentical(
        name: name, why: "\(place) has \(after.count) packets instead of \(before.count)")
    }
    guard original.timescale == track.timescale, original.edits == track.edits,
      original.mediaDurationTicks == track.mediaDurationTicks,
      original.presentationSeconds == track.presentationSeconds
    else { throw StripError.notIdentical(name: name, why: "\(place) has other times") }
    var hasher = SHA256()
    var cutCount = 0
    for (old, new) in zip(before, after) {
      let inside = cuts[firstCut(at: old.lowerBound)...].prefix { $0.range.lowerBound < old.upperBound }
      let bytes = try output.bytes(in: new, atMost: Int(new.count))
      guard bytes == (try cut(old, inside)) else {
        throw StripError.notIdentical(name: name, why: "\(place): the packet at byte \(old.lowerBound) changed")
      }
      if !inside.isEmpty { cutCount += 1 }
      hasher.update(data: bytes)
    }
    return PacketProof.Track(
      track: place, packetCount: before.count, cutCount: cutCount,
      sha256: FileDigest.hexadecimal(hasher.finalize()))
  }

  /// The first cut that ends behind a place.
  private func firstCut(at position: Int64) -> Int {
    cuts.partitioningIndex { $0.range.upperBound > position }
  }

  private func cut(_ range: Range<Int64>, _ cuts: ArraySlice<MovieEdits.Cut>) throws -> [UInt8] {
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

  /// The packets; of uncompressed sound its chunks.
  private func ranges(of track: ISOTrack, file: ISOFile, in source: any ByteSource) throws -> [Range<Int64>] {
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
