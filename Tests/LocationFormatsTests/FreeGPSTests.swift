import ClipModel
import ISOMedia
import LocationFormats
import Testing

/// A `freeGPS ` block with the structure of one maker. 4808.22 and 1134.5 are 48.137 and 11.575 as DDDMM.MMMM.
struct FreeGPSCase: Sendable, CustomTestStringConvertible {
  var name: String
  var block: [UInt8]
  var first: (Double, Double)?
  var count: Int

  var testDescription: String { name }

  init(
    _ name: String, first: (Double, Double)? = (48.137, -11.575), count: Int = 1, _ write: (inout BoxWriter) -> Void
  ) {
    self.name = name
    self.first = first
    self.count = first == nil ? 0 : count
    block = bytes { writer in
      writer.u32(0)
      writer.text("freeGPS ")
      write(&writer)
      writer.pad(to: max(0x200, writer.bytes.count))
    }
    block.replaceSubrange(0..<4, with: bytes { $0.u32(UInt32(block.count)) })
  }
}

@Suite struct FreeGPSTests {
  static let cases: [FreeGPSCase] = [
    FreeGPSCase("Novatek") {
      $0.pad(to: 72)
      $0.text("ANW\0")
      $0.littleFloat(4808.22)
      $0.littleFloat(1134.5)
    },
    FreeGPSCase("Novatek south", first: (-48.137, 11.575)) {
      $0.pad(to: 72)
      $0.text("ASE\0")
      $0.littleFloat(4808.22)
      $0.littleFloat(1134.5)
    },
    FreeGPSCase("no fix", first: nil) {
      $0.pad(to: 72)
      $0.text("V")
    },
    FreeGPSCase("A7 in degrees") {
      $0.pad(to: 16)
      $0.text("IQS_A7_20150417")
      $0.pad(to: 72)
      $0.text("ANW\0")
      $0.little(Int32(481_370_000))
      $0.little(Int32(115_750_000))
    },
    FreeGPSCase("Viofo A119 v3") {
      $0.pad(to: 40)
      $0.text("ANW\0")
      $0.littleFloat(4808.22)
      $0.littleFloat(1134.5)
    },
    FreeGPSCase("Akaso") {
      $0.pad(to: 60)
      $0.text("A\0\0\0")
      $0.littleFloat(4808.22)
      $0.text("N\0\0\0")
      $0.littleFloat(1134.5)
      $0.text("W\0\0\0")
    },
    FreeGPSCase("doubles") {
      $0.pad(to: 60)
      $0.text("A\0\0\0")
      $0.littleDouble(4808.22)
      $0.text("N\0\0\0\0\0\0\0")
      $0.littleDouble(1134.5)
      $0.text("W\0\0\0\0\0\0\0")
    },
    FreeGPSCase("Vantrue S1") {
      $0.pad(to: 64)
      $0.text("ANW\0")
      $0.pad(to: 92)
      $0.littleFloat(1134.5)
      $0.littleFloat(4808.22)
    },
    FreeGPSCase("Vantrue N4") {
      $0.pad(to: 28)
      $0.text("A\0\0\0")
      $0.littleDouble(4808.22)
      $0.text("N\0\0\0\0\0\0\0")
      $0.littleDouble(1134.5)
      $0.text("W\0\0\0\0\0\0\0")
    },
    FreeGPSCase("INNOVV", count: 2) {
      for start in [16, 48] {
        $0.pad(to: start)
        $0.text("ANW\0")
        $0.littleFloat(4808.22)
        $0.littleFloat(1134.5)
      }
    },
    FreeGPSCase("NextBase 512G", count: 2) {
      for start in [50, 82] {
        $0.pad(to: start + 4)
        $0.u16(2017)
        $0.append([3, 29, 16, 59, 0, 100, 2])
        $0.u32(481_370_000)
        $0.u32(UInt32(bitPattern: -115_750_000))
      }
    },
    FreeGPSCase("ring buffer", count: 2) {
      for (start, key) in [(48, 0x5A), (100, 0)] as [(Int, UInt8)] {
        $0.pad(to: start + 16)
        $0.append(bytes { $0.little(Int32(481_370_000)) }.map { $0 ^ key })
        $0.u8(key)
        $0.text("ATC")
        $0.append(bytes { $0.little(Int32(-115_750_000)) }.map { $0 ^ key })
      }
      $0.pad(to: 152)
    },
    FreeGPSCase("Azdome") {
      $0.pad(to: 18)
      $0.append(ambarella("N48082200W011345000"))
    },
    FreeGPSCase("Redtiger, encrypted", first: nil) {
      $0.pad(to: 72)
      $0.text("ANW\0\0\0\0\0")
      $0.littleDouble(4808.22)
    },
  ]

  @Test(arguments: cases) func readsEveryStructure(_ item: FreeGPSCase) throws {
    let finding = TimedMetadata.examine(item.block, setup: TimedMetadataSetup(format: "abcd"))
    #expect(finding.kind == "novatek-freegps")
    #expect(finding.disclosure == .location)
    #expect(finding.trace.count == item.count)
    if let (latitude, longitude) = item.first {
      #expect(finding.trace.begins(at: latitude, longitude, count: item.count), "\(finding.trace)")
    }
    // A box reader sees the block as free space.
    let source = MemoryBytes(item.block)
    #expect(try CameraBlocks.examine(try onlyBox(item.block), in: source) == finding)
  }

  @Test(arguments: cases) func survivesDamage(_ item: FreeGPSCase) {
    for length in item.block.indices {
      let finding = TimedMetadata.examine(Array(item.block.prefix(length)), setup: TimedMetadataSetup(format: "abcd"))
      #expect(finding.disclosure != .harmless || length == 0)
      #expect(finding.trace.count <= item.count)
    }
  }

  @Test func readsTheBlocksOfATable() throws {
    let first = Self.cases[0].block
    let second = Self.cases[1].block
    func file(offsets: [(UInt32, UInt32)]) -> [UInt8] {
      bytes { writer in
        writer.box("gps ") {
          $0.u32(0x101)
          $0.u32(UInt32(offsets.count))
          for (offset, size) in offsets {
            $0.u32(offset)
            $0.u32(size)
          }
        }
      } + first + second
    }
    let start: UInt32 = 16 + 8 * 4
    let blocks = [(start, UInt32(first.count)), (start + UInt32(first.count), UInt32(second.count))]
    // One more is outside the file, and one is not such a block.
    let source = MemoryBytes(file(offsets: blocks + [(1 << 30, 512), (0, 512)]))
    let box = try onlyBox(source.bytes)
    let finding = try #require(try CameraBlocks.examine(box, in: source))
    #expect(finding.kind == "novatek-freegps")
    #expect(finding.trace.begins(at: 48.137, -11.575, count: 2))
    for length in 8..<Int(start) {
      let part = MemoryBytes(Array(source.bytes.prefix(length)))
      #expect(try CameraBlocks.examine(try onlyBox(part.bytes), in: part)?.trace.isEmpty == true)
    }
  }
}
