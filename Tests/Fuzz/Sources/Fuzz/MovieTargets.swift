import ClipModel
import ISOMedia
import Privacy

extension FuzzTarget {
  /// Reading: every range is inside the file, and iterating over the samples ends.
  static let boxes = FuzzTarget(name: "boxes") { bytes in
    let source = MemoryBytes(bytes)
    guard let file = try ISOFile.read(from: source) else { return }
    for box in file.topLevelBoxes {
      require(
        box.range.lowerBound >= 0 && box.range.upperBound <= source.byteCount && box.payload.lowerBound >= 0,
        "\(box.path) is outside of the file")
    }
    for track in file.tracks {
      try file.forEachSample(of: track, in: source) { range in
        require(range.lowerBound <= range.upperBound, "a sample ends before it begins")
        return true
      }
    }
    _ = try file.sampleRanges(in: source)
  }

  /// Rewriting: a written file can be read, with the same tracks and samples of the same sizes.
  static let rewrite = FuzzTarget(name: "rewrite") { bytes in
    // The first byte selects what is removed.
    guard let choice = bytes.first else { return }
    let source = MemoryBytes(Array(bytes.dropFirst()))
    guard let file = try ISOFile.read(from: source) else { return }
    var edits = MovieEdits()
    if choice & 1 != 0, let track = file.tracks.first { edits.removedTracks.insert(track.trackID) }
    if choice & 2 != 0, let box = file.topLevelBoxes.first(where: { $0.type != "moov" && $0.type != "mdat" }) {
      edits.removedBoxes.insert(box.range.lowerBound)
    }
    edits.clearsDates = choice & 4 != 0
    edits.keepsTrailer = choice & 8 != 0
    var rewriter = MovieRewriter(
      source: source, file: file, edits: edits, name: "input", alignment: choice & 16 != 0 ? 4096 : 1)
    guard let pieces = try? rewriter.makePieces() else { return }
    let written = MemoryBytes(assembled(pieces, from: source))
    guard let copy = try ISOFile.read(from: written) else {
      // If its first box was removed, the file may no longer have a known format.
      return require(choice & 2 != 0 || pieces.isEmpty, "the result is not a movie")
    }
    for track in copy.tracks {
      guard let original = file.tracks.first(where: { $0.trackID == track.trackID }) else {
        fatalError("track \(track.trackID) came from nowhere")
      }
      require(track.sampleCount == original.sampleCount, "samples of track \(track.trackID) were lost")
    }
    require(copy.missingByteCount == 0, "samples lie outside of what was written")
  }

  /// The audit of any kind of file.
  static let audit = FuzzTarget(name: "audit") { bytes in
    let report = try Auditor.audit(MemoryBytes(bytes))
    for carrier in report.found.map(\.carrier) {
      guard let range = carrier.byteRange else { continue }
      require(
        range.lowerBound >= 0 && range.upperBound <= Int64(bytes.count), "\(carrier.place) is outside of the file")
    }
  }

  /// A stripped file contains nothing that must be removed.
  static let strip = FuzzTarget(name: "strip") { bytes in
    let stripped: [UInt8]
    do {
      stripped = try Stripper.strip(bytes)
    } catch StripError.leftover(_, let place) {
      fatalError("left in \(place)")
    } catch {
      // Damaged or unsupported input.
      return
    }
    let report = try Auditor.audit(MemoryBytes(stripped), known: Auditor.audit(MemoryBytes(bytes)).positions)
    require(report.mustBeRemoved.isEmpty, "left: \(report.mustBeRemoved.map(\.carrier.place))")
  }

  private static func assembled(_ pieces: [FilePiece], from source: MemoryBytes) -> [UInt8] {
    pieces.reduce(into: []) { result, piece in
      switch piece {
      case .bytes(let bytes): result += bytes
      case .copy(let range): result += source.bytes(at: range.lowerBound, count: range.count)
      }
    }
  }
}
