import Crypto
import DurableFiles
import LibAV

/// Makes the proof for remuxed files: the packets of picture and sound of both, as libav reads them.
struct RemuxProof {
  let source: String
  let output: String
  /// Access units that lost a message, by stream of the source.
  let cutCounts: [Int: Int]
  let name: String
  let analysis: InputContainer.Analysis
  let interruption: Interruption

  private struct Stream {
    var index: Int
    var title: String
    var packetCount = 0
    /// Of each packet that is as it was, in order; those that were cut are left to the comparison of counts.
    var digests: [SHA256Digest] = []
    var hasher = SHA256()
  }

  func run() throws -> PacketProof {
    let before = try streams(of: source)
    let after = try streams(of: output)
    guard before.count == after.count else {
      throw StripError.notIdentical(name: name, why: "the copy has other tracks of picture and sound")
    }
    return PacketProof(tracks: try zip(before, after).map { try compare($0, $1) })
  }

  private func compare(_ before: Stream, _ after: Stream) throws -> PacketProof.Track {
    guard before.packetCount == after.packetCount else {
      throw StripError.notIdentical(
        name: name, why: "\(before.title) has \(after.packetCount) packets instead of \(before.packetCount)")
    }
    let changed = zip(before.digests, after.digests).count { $0 != $1 }
    let cut = cutCounts[before.index] ?? 0
    guard changed <= cut else {
      throw StripError.notIdentical(name: name, why: "\(before.title): \(changed - cut) packets changed")
    }
    return PacketProof.Track(
      track: before.title, packetCount: after.packetCount, cutCount: changed,
      sha256: FileDigest.hexadecimal(after.hasher.finalize()))
  }

  private func streams(of path: String) throws -> [Stream] {
    let input = try InputContainer(path: path, interruption: interruption, analysis: analysis)
    var streams = input.streams.filter {
      $0.isDescribed && (($0.kind == .video && !$0.isAttachedPicture) || $0.kind == .audio)
    }
    .map { Stream(index: $0.index, title: "track \($0.index + 1) (\($0.codecName))") }
    input.select(Set(streams.map(\.index)))
    let packet = try Packet()
    while try input.read(into: packet) {
      try interruption.check()
      guard let place = streams.firstIndex(where: { $0.index == packet.streamIndex }) else { continue }
      let bytes = packet.bytes
      streams[place].packetCount += 1
      streams[place].digests.append(SHA256.hash(data: bytes))
      streams[place].hasher.update(data: bytes)
    }
    return streams
  }
}
