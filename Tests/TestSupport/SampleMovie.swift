public import ISOMedia

/// Builds small MP4 files for tests. They contain no real video, only valid boxes.
public struct SampleMovie {
  public struct Track {
    public var id: UInt32 = 1
    public var handler: FourCC = "vide"
    public var format: FourCC = "avc1"
    public var timescale: UInt32 = 30_000
    /// Sample durations as runs of count and ticks.
    public var durations: [(UInt32, UInt32)] = [(4, 1000)]
    /// The duration in `mdhd`; by default the sum of the sample durations.
    public var headerTicks: UInt32?
    /// The delay from decoding to presentation, as runs of count and ticks.
    public var compositionOffsets: [(UInt32, Int32)] = []
    public var sizes: [UInt32] = [10, 20, 30, 40]
    public var syncSamples: [UInt32]? = [1]
    /// The duration in ticks of the movie, and the start in the media (-1 for an empty edit).
    public var edits: [(UInt32, Int32)] = []
    /// Boxes inside the sample entry.
    package var entryBoxes: (inout BoxWriter) -> Void = Self.decoderConfiguration
    /// Boxes in the track's user data.
    package var userData: ((inout BoxWriter) -> Void)?
    /// The bytes of its samples, padded with zeros.
    public var data: [UInt8] = []
    public var uses64BitOffsets = false

    package init(
      id: UInt32 = 1, handler: FourCC = "vide", format: FourCC = "avc1", sizes: [UInt32] = [10, 20, 30, 40],
      entryBoxes: @escaping (inout BoxWriter) -> Void = Self.decoderConfiguration, data: [UInt8] = [],
      uses64BitOffsets: Bool = false
    ) {
      self.id = id
      self.handler = handler
      self.format = format
      self.sizes = sizes
      self.entryBoxes = entryBoxes
      self.data = data
      self.uses64BitOffsets = uses64BitOffsets
    }

    /// An `avcC` with nothing but the size of unit lengths: four bytes.
    package static func decoderConfiguration(_ entry: inout BoxWriter) {
      entry.box("avcC") { $0.append([1, 0x64, 0, 0x1F, 0xFF, 0xE0, 0]) }
    }

    public var byteCount: Int { Int(sizes.reduce(0, +)) }
  }

  public var tracks = [Track()]
  /// Boxes at the end of `moov`.
  package var movieBoxes: (inout BoxWriter) -> Void = { _ in }
  /// Boxes after `ftyp`.
  package var before: (inout BoxWriter) -> Void = { _ in }
  /// Bytes after the last box.
  package var after: (inout BoxWriter) -> Void = { _ in }
  /// Unexpected bytes at the end of `mvhd`.
  public var headerTail: [UInt8] = []
  /// Bytes of `mdat` before the first sample.
  public var mediaHeader: [UInt8] = []
  public var isFastStart = true
  public var creationTime: UInt32 = 0

  public init() {}

  /// The file. Chunk offsets depend on the position of `mdat`, so `moov` is written twice.
  public var bytes: [UInt8] {
    var head = BoxWriter()
    head.box("ftyp") { box in
      box.fourCC("isom")
      box.u32(512)
      box.fourCC("isom")
      box.fourCC("mp41")
    }
    before(&head)
    let movieSize = isFastStart ? movie(dataStart: 0).count : 0
    let movie = movie(dataStart: UInt32(head.bytes.count + movieSize + 8 + mediaHeader.count))
    if isFastStart { head.append(movie) }
    head.box("mdat") { box in
      box.append(mediaHeader)
      for track in tracks {
        box.append(
          (track.data + [UInt8](repeating: 0, count: max(0, track.byteCount - track.data.count)))
            .prefix(track.byteCount))
      }
    }
    if !isFastStart { head.append(movie) }
    after(&head)
    return head.bytes
  }

  private func movie(dataStart: UInt32) -> [UInt8] {
    var writer = BoxWriter()
    writer.box("moov") { moov in
      moov.fullBox("mvhd") { box in
        box.u32(creationTime)
        box.u32(0)
        box.u32(1000)
        box.u32(0)
        box.zeros(80)
        box.append(headerTail)
      }
      var offset = dataStart
      for track in tracks {
        Self.write(track, offset: offset, to: &moov)
        offset += UInt32(track.byteCount)
      }
      movieBoxes(&moov)
    }
    return writer.bytes
  }

  private static func write(_ track: Track, offset: UInt32, to moov: inout BoxWriter) {
    moov.box("trak") { trak in
      trak.fullBox("tkhd", flags: 3) { box in
        box.zeros(8)
        box.u32(track.id)
        box.zeros(68)
      }
      if !track.edits.isEmpty {
        trak.box("edts") { edts in
          edts.fullBox("elst") { box in
            box.u32(UInt32(track.edits.count))
            for (duration, start) in track.edits {
              box.u32(duration)
              box.u32(UInt32(bitPattern: start))
              box.u32(1 << 16)
            }
          }
        }
      }
      trak.box("mdia") { mdia in
        mdia.fullBox("mdhd") { box in
          box.zeros(8)
          box.u32(track.timescale)
          box.u32(track.headerTicks ?? track.durations.reduce(0) { $0 + $1.0 * $1.1 })
          box.u32(0)
        }
        mdia.fullBox("hdlr") { box in
          box.u32(0)
          box.fourCC(track.handler)
          box.zeros(12)
          box.text("A handler\0")
        }
        mdia.box("minf") { minf in minf.box("stbl") { stbl in writeTables(track, offset: offset, to: &stbl) } }
      }
      if let userData = track.userData { trak.box("udta", userData) }
    }
  }

  private static func writeTables(_ track: Track, offset: UInt32, to stbl: inout BoxWriter) {
    stbl.fullBox("stsd") { box in
      box.u32(1)
      box.box(track.format) { entry in
        entry.zeros(track.handler == "vide" ? 78 : track.handler == "soun" ? 28 : 8)
        track.entryBoxes(&entry)
      }
    }
    stbl.fullBox("stts") { box in
      box.u32(UInt32(track.durations.count))
      for (count, ticks) in track.durations {
        box.u32(count)
        box.u32(ticks)
      }
    }
    if !track.compositionOffsets.isEmpty {
      stbl.fullBox("ctts") { box in
        box.u32(UInt32(track.compositionOffsets.count))
        for (count, ticks) in track.compositionOffsets {
          box.u32(count)
          box.u32(UInt32(bitPattern: ticks))
        }
      }
    }
    if let syncSamples = track.syncSamples {
      stbl.fullBox("stss") { box in
        box.u32(UInt32(syncSamples.count))
        for sample in syncSamples { box.u32(sample) }
      }
    }
    // Two chunks: all samples but the last, and the last.
    let first = UInt32(max(1, track.sizes.count - 1))
    stbl.fullBox("stsc") { box in
      box.u32(2)
      for run in [(1, first), (2, 1)] as [(UInt32, UInt32)] {
        box.u32(run.0)
        box.u32(run.1)
        box.u32(1)
      }
    }
    stbl.fullBox("stsz") { box in
      box.u32(0)
      box.u32(UInt32(track.sizes.count))
      for size in track.sizes { box.u32(size) }
    }
    let second = offset + track.sizes.dropLast().reduce(0, +)
    stbl.fullBox(track.uses64BitOffsets ? "co64" : "stco") { box in
      box.u32(2)
      for start in [offset, second] {
        if track.uses64BitOffsets { box.u64(UInt64(start)) } else { box.u32(start) }
      }
    }
  }
}

extension ISOFile {
  public static func read(_ bytes: [UInt8]) throws -> ISOFile? { try read(from: MemoryBytes(bytes)) }
}
