internal import ClipModel
internal import Foundation
internal import ISOMedia
package import LibAV
package import LocationFormats

/// Removes location from Matroska, WebM, MPEG-TS and AVI files by copying their packets into a new file of the same
/// kind. Blocks; call it on a thread of its own.
package struct RemuxStripper {
  private let name: String
  private let path: String
  private let policy: RemuxPolicy
  private let interruption: Interruption
  private var report = RemuxReport()
  private var analysis = InputContainer.Analysis.always

  /// Writes a copy of `source` without location to `destination`, which is created or overwritten, and is no media
  /// file when an error is thrown.
  /// - Parameter search: knows the positions that the source has.
  /// - Returns: what was done, and how both files have to be opened to see all their tracks.
  /// - Throws: `RemuxError`, `FFmpegError`, `ISOMediaError`, `CancellationError`.
  package static func strip(
    source: String, destination: String, options: StripOptions, search: PositionSearch = .blind,
    interruption: Interruption
  ) throws -> (report: RemuxReport, analysis: InputContainer.Analysis) {
    var stripper = RemuxStripper(
      name: (source as NSString).lastPathComponent, path: source, policy: RemuxPolicy(options: options, search: search),
      interruption: interruption)
    try stripper.run(to: destination)
    return (stripper.report, stripper.analysis)
  }

  private init(name: String, path: String, policy: RemuxPolicy, interruption: Interruption) {
    self.name = name
    self.path = path
    self.policy = policy
    self.interruption = interruption
  }

  private mutating func run(to destination: String) throws {
    let bytes = try FileBytes(path: path)
    let format = try self.format(of: bytes)
    let telling = try textTracksToRemove()
    let before = report
    var pass = RemuxPass(
      name: name, path: path, format: format, policy: policy, leftOut: telling, interruption: interruption,
      report: before)
    if format == .matroska || format == .webM {
      pass.restoration = try MatroskaRestoration(bytes, search: policy.search)
    }
    do {
      try pass.run(to: destination)
    } catch RemuxError.lateTrack {
      // Dash cameras begin a file in the middle of their stream.
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
    if let restoration = pass.restoration { try restore(restoration, pass.kept, in: destination) }
    try checkTracks(of: destination, against: pass.kept)
    report = pass.report
    if format == .matroska || format == .webM { try noteLostElements(of: bytes, in: destination) }
  }

  private func format(of bytes: FileBytes) throws -> RemuxContainer.Format {
    if let docType = try EBMLReader.docType(of: bytes) {
      guard try !Self.isCutOff(bytes) else { throw RemuxError.cutOff(name: name) }
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

  /// Whether an element at the top claims more than the file has.
  private static func isCutOff(_ bytes: FileBytes) throws -> Bool {
    var reader = EBMLReader(source: bytes, range: 0..<bytes.byteCount)
    while let element = try reader.next() {
      if element.overrun > 0 { return true }
      // A live recording has no size of its own: its clusters are looked at.
      if element.hasUnknownSize { reader.enter(element) }
    }
    return false
  }

  /// Tracks of text that disclose a place; they are read to the end before anything is written.
  private mutating func textTracksToRemove() throws -> Set<Int> {
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
    let telling = found.filter { $0.value.findings.contains(where: policy.removes) }
    for (index, findings) in telling.sorted(by: { $0.key < $1.key }) {
      let kinds = findings.findings.map(\.kind).joined(separator: ", ")
      report.remove("track \(index + 1) (\(texts.first { $0.index == index }?.codecName ?? "text")): \(kinds)")
    }
    return Set(telling.keys)
  }

  /// Puts back what libav does not write of the tracks' descriptions.
  private func restore(
    _ restoration: MatroskaRestoration, _ kept: [RemuxPass.KeptTrack], in destination: String
  ) throws {
    let tracks = kept.map { (source: $0.source, name: $0.name) }
    let patches = try restoration.patches(for: FileBytes(path: destination), tracks: tracks)
    if patches.isEmpty { return }
    let file = try FileHandle(forUpdating: URL(filePath: destination))
    defer { try? file.close() }
    for patch in patches {
      try file.seek(toOffset: UInt64(patch.offset))
      try file.write(contentsOf: patch.bytes)
    }
  }

  /// Some muxers take codecs for which they have no place, and write something that no reader takes.
  private func checkTracks(of destination: String, against kept: [RemuxPass.KeptTrack]) throws {
    var copy = try InputContainer(path: destination, interruption: interruption, analysis: analysis)
    func tracks() -> [SourceStream] { copy.streams.filter { $0.kind != .attachment && !$0.isAttachedPicture } }
    // The tables of a transport stream do not name the layer of MPEG audio.
    if copy.formatName == "mpegts", tracks().map(\.codecName) != kept.map(\.codec) {
      copy = try InputContainer(path: destination, interruption: interruption, analysis: .whole)
    }
    let written = tracks()
    for (index, track) in kept.enumerated() {
      guard written.indices.contains(index), written[index].codecName == track.codec else {
        throw RemuxError.noPlace(name: name, track: track.source, codec: track.codec)
      }
      // In AVI the time base is how long a packet is.
      if copy.formatName == "avi", written[index].timeBase != track.timeBase {
        throw RemuxError.otherTimes(name: name, track: track.source, codec: track.codec)
      }
    }
    try PresentationProof.compare(kept.map(\.presentation), written.map(\.presentation), name: name)
  }

  /// Elements that describe a track and that libav neither reads nor writes must not go in silence.
  private mutating func noteLostElements(of source: FileBytes, in destination: String) throws {
    let before = try MatroskaTrack.elementNames(in: source)
    let after = try MatroskaTrack.elementNames(in: FileBytes(path: destination))
    for name in before.subtracting(after).sorted() { report.note("\(name) is not kept") }
  }
}
