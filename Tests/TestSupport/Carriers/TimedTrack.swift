public import ISOMedia

/// A data track, as cameras write next to video and audio.
public struct TimedTrack {
  /// The media header box.
  public enum MediaHeader: Sendable {
    /// `nmhd`, as in ISO files.
    case null
    /// `gmhd`, as in QuickTime files.
    case generic
  }

  public var handler: FourCC
  /// The name in the handler box.
  public var name: String
  public var format: FourCC
  /// The content of the sample entry after its first eight bytes.
  public var entry: [UInt8]
  public var mediaHeader: MediaHeader
  public var samples: [[UInt8]]

  /// The timescale of the media and of ffmpeg's movies.
  private static let timescale: UInt32 = 1000
  /// The duration of all test clips in ticks.
  private static let duration: UInt32 = 500

  public init(
    handler: FourCC, name: String = "", format: FourCC, entry: [UInt8] = [], mediaHeader: MediaHeader = .null,
    samples: [[UInt8]]
  ) {
    self.handler = handler
    self.name = name
    self.format = format
    self.entry = entry
    self.mediaHeader = mediaHeader
    self.samples = samples
  }

  /// The `trak` box. It refers to the first track, the video (`cdsc`).
  func write(to moov: inout BoxWriter, id: UInt32, dataStart: UInt32) {
    moov.box("trak") { trak in
      trak.fullBox("tkhd", flags: 1) { box in
        box.zeros(8)  // dates
        box.u32(id)
        box.zeros(4)
        box.u32(Self.duration)
        box.zeros(16)
        for value: UInt32 in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] { box.u32(value) }
        box.zeros(8)  // no width, no height
      }
      trak.box("tref") { $0.box("cdsc") { $0.u32(1) } }
      trak.box("mdia") { mdia in
        mdia.fullBox("mdhd") { box in
          box.zeros(8)
          box.u32(Self.timescale)
          box.u32(Self.duration)
          box.u16(0x55C4)  // und
          box.u16(0)
        }
        mdia.fullBox("hdlr") { box in
          box.fourCC(mediaHeader == .generic ? "mhlr" : FourCC(0))
          box.fourCC(handler)
          box.zeros(12)
          box.text(name + "\0")
        }
        mdia.box("minf") { minf in
          writeMediaHeader(to: &minf)
          minf.box("dinf") { dinf in
            dinf.fullBox("dref") { dref in
              dref.u32(1)
              dref.fullBox("url ", flags: 1)
            }
          }
          minf.box("stbl") { writeTables(to: &$0, dataStart: dataStart) }
        }
      }
    }
  }

  private func writeMediaHeader(to minf: inout BoxWriter) {
    switch mediaHeader {
    case .null: minf.fullBox("nmhd")
    case .generic:
      minf.box("gmhd") { gmhd in
        gmhd.fullBox("gmin") { box in
          box.u16(0x40)  // dither copy
          for _ in 0..<3 { box.u16(0x8000) }
          box.zeros(4)
        }
      }
    }
  }

  private func writeTables(to stbl: inout BoxWriter, dataStart: UInt32) {
    stbl.fullBox("stsd") { box in
      box.u32(1)
      box.box(format) { entry in
        entry.zeros(6)
        entry.u16(1)
        entry.append(self.entry)
      }
    }
    stbl.fullBox("stts") { box in
      box.u32(1)
      box.u32(UInt32(samples.count))
      box.u32(Self.duration / UInt32(max(1, samples.count)))
    }
    stbl.fullBox("stsc") { box in
      box.u32(1)
      for value in [1, UInt32(samples.count), 1] { box.u32(value) }
    }
    stbl.fullBox("stsz") { box in
      box.u32(0)
      box.u32(UInt32(samples.count))
      for sample in samples { box.u32(UInt32(sample.count)) }
    }
    stbl.fullBox("stco") { box in
      box.u32(1)
      box.u32(dataStart)
    }
  }
}
