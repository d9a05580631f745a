internal import ClipModel
internal import Foundation
internal import ISOMedia
internal import LibAV
internal import LocationFormats

/// Copies the packets of a Matroska, WebM, MPEG-TS or AVI file to a new file in the same format, without location data.
/// Blocks the calling thread.
struct Remuxer {
  let name: String
  let path: String
  let policy: RemuxPolicy
  let interruption: Interruption
  private(set) var report = RemuxReport()
  /// The probe settings needed to find every track in both files.
  private(set) var analysis = InputContainer.Analysis.always

  /// Writes the copy to `destination`, which is created or overwritten. If an error occurs, the destination is not a
  /// valid media file.
  /// - Throws: `RemuxError`, `FFmpegError`, `ISOMediaError`, `CancellationError`.
  mutating func run(to destination: String) throws {
    let bytes = try FileBytes(path: path)
    let format = try detectFormat(of: bytes)
    let excludedTracks = try findPrivateTextTracks()
    let before = report
    var pass = RemuxPass(
      name: name, path: path, format: format, policy: policy, excludedTracks: excludedTracks,
      interruption: interruption, report: before)
    if format.isMatroska { pass.restoration = try MatroskaRestoration(bytes, search: policy.search) }
    do {
      try pass.run(to: destination)
    } catch RemuxError.lateTrack {
      // Dash cam files may start in the middle of a stream.
      analysis = .whole
      pass.analysis = .whole
      pass.report = before
      try pass.run(to: destination)
    }
    let corrections = try pass.corrections(of: destination)
    if !corrections.isEmpty {
      pass.corrections = corrections
      pass.report = before
      try pass.run(to: destination)
    }
    if let restoration = pass.restoration { try restoreDescriptions(restoration, pass.kept, in: destination) }
    try checkTracks(of: destination, against: pass.kept)
    report = pass.report
    if format.isMatroska { try reportLostElements(of: bytes, in: destination) }
  }

  private func detectFormat(of bytes: FileBytes) throws -> RemuxContainer.Format {
    if let docType = try EBMLReader.docType(of: bytes) {
      guard try !Self.isTruncated(bytes) else { throw RemuxError.cutOff(name: name) }
      return docType == "webm" ? .webM : .matroska
    }
    var chunks = ChunkReader(source: bytes, range: 0..<bytes.byteCount)
    if let chunk = try chunks.next(), chunk.type == "RIFF", chunk.listType == "AVI " {
      guard chunk.overrun == 0 else { throw RemuxError.cutOff(name: name) }
      return .avi
    }
    if try bytes.bytes(at: 0, count: 4) == ProgramStreamAudit.packStart { throw RemuxError.programStream(name: name) }
    if let packets = try TransportReader(source: bytes) {
      return .transportStream(withArrivalTimes: packets.packetSize == 192)
    }
    throw RemuxError.unsupported(name: name)
  }

  /// Whether a top-level element extends past the end of the file.
  private static func isTruncated(_ bytes: FileBytes) throws -> Bool {
    var reader = EBMLReader(source: bytes, range: 0..<bytes.byteCount)
    while let element = try reader.next() {
      if element.overrun > 0 { return true }
      // In a live recording, the segment has an unknown size, but its clusters may have known sizes.
      if element.hasUnknownSize { reader.enter(element) }
    }
    return false
  }

  /// Finds text tracks that contain private data. The tracks are read completely before the copy is written.
  private mutating func findPrivateTextTracks() throws -> Set<Int> {
    let input = try InputContainer(path: path, interruption: interruption)
    let texts = input.streams.filter { $0.kind == .subtitle && $0.isText }
    guard !texts.isEmpty else { return [] }
    input.select(Set(texts.map(\.index)))
    var found = Dictionary(
      texts.map { ($0.index, FindingList([policy.search.examine($0.setup)].compactMap(\.self))) }
    ) { first, _ in first }
    let packet = try Packet()
    while try input.read(into: packet) {
      try interruption.check()
      guard found[packet.streamIndex] != nil else { continue }
      if let finding = policy.search.examine(packet.bytes) { found[packet.streamIndex]?.add(finding) }
    }
    found = found.filter { $0.value.findings.contains(where: policy.options.removes) }
    for (index, findings) in found.sorted(by: { $0.key < $1.key }) {
      let kinds = findings.findings.map(\.kind).joined(separator: ", ")
      report.addRemoval("track \(index + 1) (\(texts.first { $0.index == index }?.codecName ?? "text")): \(kinds)")
    }
    return Set(found.keys)
  }

  /// Restores the parts of the track descriptions that libav doesn't write.
  private func restoreDescriptions(
    _ restoration: MatroskaRestoration, _ kept: [RemuxPass.KeptTrack], in destination: String
  ) throws {
    let tracks = kept.map { (source: $0.source, name: $0.name) }
    guard let patch = try restoration.makePatch(for: FileBytes(path: destination), tracks: tracks) else { return }
    let file = try FileHandle(forUpdating: URL(filePath: destination))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(patch.offset))
    try file.write(contentsOf: patch.bytes)
  }

  /// Reads the tracks of the copy to verify them. Some muxers accept codecs that they can't store, and then write an
  /// unreadable file.
  private func checkTracks(of destination: String, against kept: [RemuxPass.KeptTrack]) throws {
    var copy = try InputContainer(path: destination, interruption: interruption, analysis: analysis)
    func copiedTracks() -> [SourceStream] { copy.streams.filter { $0.kind != .attachment && !$0.isAttachedPicture } }
    // The tables of a transport stream don't specify the layer of MPEG audio.
    if copy.formatName == "mpegts", copiedTracks().map(\.codecName) != kept.map(\.codec) {
      copy = try InputContainer(path: destination, interruption: interruption, analysis: .whole)
    }
    let written = copiedTracks()
    for (index, track) in kept.enumerated() {
      guard written.indices.contains(index), written[index].codecName == track.codec else {
        throw RemuxError.noPlace(name: name, track: track.source, codec: track.codec)
      }
      // In AVI, the time base is the duration of a packet.
      if copy.formatName == "avi", written[index].timeBase != track.timeBase {
        throw RemuxError.otherTimes(name: name, track: track.source, codec: track.codec)
      }
    }
    try PresentationProof.compare(kept.map(\.presentation), written.map(\.presentation), name: name)
  }

  /// Adds a note for each element of a track description that libav neither reads nor writes.
  private mutating func reportLostElements(of source: FileBytes, in destination: String) throws {
    let before = try MatroskaTrack.elementNames(in: source)
    let after = try MatroskaTrack.elementNames(in: FileBytes(path: destination))
    for name in before.subtracting(after).sorted() { report.addNote("\(name) was not copied") }
  }
}
