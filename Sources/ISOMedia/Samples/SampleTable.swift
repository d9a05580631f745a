/// The tables of a track (`stbl`) that say where its samples are and when: ranges of the file, read when needed.
public struct SampleTable: Equatable, Sendable {
  /// Larger tables are not walked: a day of 60 Hz video has a third as many samples.
  public static let entryLimit = 1 << 24

  /// A table's entries: how many, and where in the file.
  struct Entries: Equatable, Sendable {
    var count = 0
    var range: Range<Int64> = 0..<0
  }

  var timeToSample = Entries()
  /// `nil` when there is no `ctts`: then samples are shown when they are decoded.
  var compositionOffsets: Entries?
  /// `nil` when there is no `stss`: then every sample is a sync sample.
  var syncSamples: Entries?
  var sampleToChunk = Entries()
  var chunkOffsets = Entries()
  var chunkOffsetBits = 32
  var sampleSizes = Entries()
  /// 4, 8, 16 or 32; 0 when all samples have `commonSampleSize`.
  var sampleSizeBits = 0
  var commonSampleSize: UInt32 = 0
  /// As claimed, cut to what the table has room for.
  public private(set) var sampleCount = 0
  /// Tables that claim more entries than they have room for.
  private(set) var problems: [String] = []

  /// Samples that decoding can start at.
  public var syncSampleCount: Int { syncSamples?.count ?? sampleCount }

  /// The entries of a full box that begins with their number, as far as it has room for them.
  static func entries(
    of box: Box, in source: any ByteSource, headerSize: Int64 = 8, bitsPerEntry: Int
  ) throws(ISOMediaError) -> (entries: Entries, claimed: Int) {
    var cursor = try source.cursor(in: box.payload, atMost: Int(headerSize))
    guard cursor.skip(Int(headerSize) - 4), let claimed = cursor.u32() else { return (Entries(), 0) }
    let range = box.payload(skipping: headerSize)
    let room = Int64(range.count) * 8 / Int64(bitsPerEntry)
    return (Entries(count: Int(min(Int64(claimed), room)), range: range), Int(claimed))
  }

  init(box: Box, source: any ByteSource) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: box)
    while let table = try reader.next() {
      switch table.type {
      case "stts": timeToSample = try entries(of: table, in: source, bitsPerEntry: 64)
      case "ctts": compositionOffsets = try entries(of: table, in: source, bitsPerEntry: 64)
      case "stss": syncSamples = try entries(of: table, in: source, bitsPerEntry: 32)
      case "stsc": sampleToChunk = try entries(of: table, in: source, bitsPerEntry: 96)
      case "stco": chunkOffsets = try entries(of: table, in: source, bitsPerEntry: 32)
      case "co64":
        chunkOffsets = try entries(of: table, in: source, bitsPerEntry: 64)
        chunkOffsetBits = 64
      case "stsz", "stz2": try readSizes(table, in: source)
      default: break
      }
    }
    if let problem = reader.problem { problems.append(problem) }
  }

  private mutating func entries(
    of box: Box, in source: any ByteSource, headerSize: Int64 = 8, bitsPerEntry: Int
  ) throws(ISOMediaError) -> Entries {
    let (entries, claimed) = try Self.entries(of: box, in: source, headerSize: headerSize, bitsPerEntry: bitsPerEntry)
    if claimed > entries.count {
      problems.append("\(box.path) claims \(claimed) entries and has room for \(entries.count)")
    }
    return entries
  }

  private mutating func readSizes(_ box: Box, in source: any ByteSource) throws(ISOMediaError) {
    var cursor = try source.cursor(in: box.payload, atMost: 12)
    guard cursor.u32() != nil, let field = cursor.u32(), let count = cursor.u32() else { return }
    if box.type == "stsz", field != 0 {
      commonSampleSize = field
      sampleSizeBits = 0
      sampleCount = Int(count)
      return
    }
    let bits = box.type == "stsz" ? 32 : Int(field & 0xFF)
    guard [4, 8, 16, 32].contains(bits) else {
      problems.append("\(box.path) has sizes of \(bits) bits")
      return
    }
    sampleSizeBits = bits
    sampleSizes = try entries(of: box, in: source, headerSize: 12, bitsPerEntry: bits)
    sampleCount = sampleSizes.count
  }

  /// Whether samples differ in size; those of uncompressed sound do not.
  public var hasSampleSizes: Bool { sampleSizeBits != 0 }

  /// Whether the tables are small enough to be walked.
  var isWalkable: Bool {
    [
      timeToSample.count, sampleToChunk.count, chunkOffsets.count, sampleSizes.count, compositionOffsets?.count ?? 0,
      syncSamples?.count ?? 0,
    ].allSatisfy { $0 <= Self.entryLimit }
  }
}
