import Crypto
import DurableFiles
import LibAV

/// Compares the video and audio packets of a remuxed file with those of its source, as libav reads them.
struct RemuxProof {
  let source: String
  let output: String
  /// The number of access units from which a message was removed, keyed by source stream.
  let cutCounts: [Int: Int]
  let name: String
  let analysis: InputContainer.Analysis
  let interruption: Interruption

  private struct PacketStream {
    var index: Int
    var title: String
    /// The SHA-256 digests of the packets, in order.
    var digests: [SHA256Digest] = []
    var hasher = SHA256()
  }

  func run() throws -> PacketProof {
    let before = try readStreams(of: source)
    let after = try readStreams(of: output)
    guard before.count == after.count else {
      throw StripError.notIdentical(name: name, why: "the copy has different video or audio tracks")
    }
    return PacketProof(tracks: try zip(before, after).map { try compare($0, $1) })
  }

  private func compare(_ before: PacketStream, _ after: PacketStream) throws -> PacketProof.Track {
    let (expected, found) = (before.digests.count, after.digests.count)
    guard expected == found else {
      throw StripError.notIdentical(name: name, why: "\(before.title): expected \(expected) packets, got \(found)")
    }
    // Only packets from which a message was removed may differ.
    let changed = zip(before.digests, after.digests).count { $0 != $1 }
    let cut = cutCounts[before.index] ?? 0
    guard changed <= cut else {
      throw StripError.notIdentical(name: name, why: "\(before.title): \(changed - cut) packets changed")
    }
    return PacketProof.Track(
      track: before.title, packetCount: found, cutCount: changed,
      sha256: FileDigest.hexadecimal(after.hasher.finalize()))
  }

  private func readStreams(of path: String) throws -> [PacketStream] {
    let input = try InputContainer(path: path, interruption: interruption, analysis: analysis)
    var streams = input.streams.filter {
      $0.isDescribed && (($0.kind == .video && !$0.isAttachedPicture) || $0.kind == .audio)
    }
    .map { PacketStream(index: $0.index, title: "track \($0.index + 1) (\($0.codecName))") }
    input.select(Set(streams.map(\.index)))
    let packet = try Packet()
    while try input.read(into: packet) {
      try interruption.check()
      guard let place = streams.firstIndex(where: { $0.index == packet.streamIndex }) else { continue }
      let bytes = packet.bytes
      streams[place].digests.append(SHA256.hash(data: bytes))
      streams[place].hasher.update(data: bytes)
    }
    return streams
  }
}
