/// A track's sample tables (`stbl`), which contain the positions and times of its samples. This struct stores only the
/// location of each table. Entries are read on demand.
public struct SampleTable: Equatable, Sendable {
  /// The maximum number of entries in a table that can be read. A day of 60 Hz video needs a third of them.
  public static let entryLimit = 1 << 24

  /// A table's entry count and its byte range in the file.
  struct Entries: Equatable, Sendable {
    var count = 0
    var range: Range<Int64> = 0..<0
  }

  var timeToSample = Entries()
  /// The composition offsets; `nil` if there is no `ctts` box, in which case each sample is displayed at its decoding
  /// time.
  var compositionOffsets: Entries?
  /// The sync samples; `nil` if there is no `stss` box, in which case every sample is a sync sample.
  var syncSamples: Entries?
  var sampleToChunk = Entries()
  var chunkOffsets = Entries()
  var chunkOffsetBits = 32
  var sampleSizes = Entries()
  /// The number of bits per sample size: 4, 8, 16 or 32; 0 if all samples have the size `commonSampleSize`.
  var sampleSizeBits = 0
  var commonSampleSize: UInt32 = 0
  /// The declared number of samples, limited by the size of the table.
  public private(set) var sampleCount = 0
  /// Descriptions of tables that declare more entries than they have room for, and of other problems.
  private(set) var problems: [String] = []

  /// The number of sync samples, at which decoding can start.
  public var syncSampleCount: Int { syncSamples?.count ?? sampleCount }

  init(box: Box, source: any ByteSource) throws(ISOMediaError) {
    var reader = BoxReader(source: source, childrenOf: box)
    while let table = try reader.next() {
      switch table.type {
      case "stts": timeToSample = try readEntries(of: table, in: source, bitsPerEntry: 64)
      case "ctts": compositionOffsets = try readEntries(of: table, in: source, bitsPerEntry: 64)
      case "stss": syncSamples = try readEntries(of: table, in: source, bitsPerEntry: 32)
      case "stsc": sampleToChunk = try readEntries(of: table, in: source, bitsPerEntry: 96)
      case "stco": chunkOffsets = try readEntries(of: table, in: source, bitsPerEntry: 32)
      case "co64":
        chunkOffsets = try readEntries(of: table, in: source, bitsPerEntry: 64)
        chunkOffsetBits = 64
      case "stsz", "stz2": try readSizes(table, in: source)
      default: break
      }
    }
    if let problem = reader.problem { problems.append(problem) }
  }

  /// Reads the entry count of a table, limited by the size of the box.
  private mutating func readEntries(
    of box: Box, in source: any ByteSource, headerSize: Int64 = 8, bitsPerEntry: Int
  ) throws(ISOMediaError) -> Entries {
    var cursor = try source.cursor(in: box.payload, atMost: Int(headerSize))
    guard cursor.skip(Int(headerSize) - 4), let claimed = cursor.u32().map(Int64.init) else { return Entries() }
    let range = box.payload(skipping: headerSize)
    let room = Int64(range.count) * 8 / Int64(bitsPerEntry)
    if claimed > room { problems.append("\(box.path) declares \(claimed) entries but has room for only \(room)") }
    return Entries(count: Int(min(claimed, room)), range: range)
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
      problems.append("\(box.path) has an unsupported sample size field of \(bits) bits")
      return
    }
    sampleSizeBits = bits
    sampleSizes = try readEntries(of: box, in: source, headerSize: 12, bitsPerEntry: bits)
    sampleCount = sampleSizes.count
  }

  /// Whether each sample has its own size in the table. Uncompressed audio uses a common size.
  public var hasSampleSizes: Bool { sampleSizeBits != 0 }

  /// Whether the tables are small enough to read.
  var isWalkable: Bool {
    [
      timeToSample.count, sampleToChunk.count, chunkOffsets.count, sampleSizes.count, compositionOffsets?.count ?? 0,
      syncSamples?.count ?? 0,
    ].allSatisfy { $0 <= Self.entryLimit }
  }
}
