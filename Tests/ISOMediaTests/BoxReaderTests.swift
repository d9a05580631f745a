import ISOMedia
import Testing

@Suite struct BoxReaderTests {
  static func boxes(_ bytes: [UInt8]) throws -> (boxes: [Box], reader: BoxReader) {
    var reader = BoxReader(source: MemoryBytes(bytes))
    let boxes = try reader.remainingBoxes()
    return (boxes, reader)
  }

  @Test func iteratesOverWrittenBoxes() throws {
    var writer = BoxWriter()
    writer.box("free") { $0.zeros(3) }
    writer.box("uuid", userType: Array(0..<16)) { $0.u32(7) }
    writer.box("moov") { moov in
      moov.box("udta") { $0.box("©xyz") { $0.text("x") } }
      moov.box("udta")
    }
    let (boxes, reader) = try Self.boxes(writer.bytes)
    #expect(boxes.map(\.type.description) == ["free", "uuid", "moov"])
    #expect(boxes.map(\.range) == [0..<11, 11..<39, 39..<72])
    #expect(boxes.map(\.headerSize) == [8, 24, 8])
    #expect(boxes[1].userType == Array(0..<16))
    #expect(boxes[1].payload == 35..<39)
    #expect(reader.rest.isEmpty && reader.problem == nil)

    var children = BoxReader(source: MemoryBytes(writer.bytes), childrenOf: boxes[2])
    let userData = try children.remainingBoxes()
    #expect(userData.map(\.path) == ["moov/udta", "moov/udta[2]"])
    var position = BoxReader(source: MemoryBytes(writer.bytes), childrenOf: userData[0])
    #expect(try position.next()?.path == "moov/udta/©xyz")
  }

  @Test func size64BitIsRead() throws {
    var writer = BoxWriter()
    writer.u32(1)
    writer.fourCC("mdat")
    writer.u64(20)
    writer.zeros(4)
    writer.box("free")
    let boxes = try Self.boxes(writer.bytes).boxes
    #expect(boxes.map(\.range) == [0..<20, 20..<28])
    #expect(boxes[0].payload == 16..<20)
  }

  @Test func sizeZeroExtendsToTheEnd() throws {
    var writer = BoxWriter()
    writer.u32(0)
    writer.fourCC("mdat")
    writer.zeros(9)
    #expect(try Self.boxes(writer.bytes).boxes.map(\.range) == [0..<17])
  }

  @Test(arguments: [UInt64(100), UInt64(Int64.max), .max])
  func boxBeyondTheEndIsClampedWithItsOverrun(size: UInt64) throws {
    var writer = BoxWriter()
    writer.u32(1)
    writer.fourCC("mdat")
    writer.u64(size)
    let box = try #require(try Self.boxes(writer.bytes).boxes.first)
    #expect(box.range == 0..<16)
    #expect(box.overrun == Int64(clamping: size - 16))
  }

  @Test(arguments: [2, 7] as [UInt32])
  func sizeBelowTheHeaderEndsTheIteration(size: UInt32) throws {
    var writer = BoxWriter()
    writer.box("free")
    writer.u32(size)
    writer.fourCC("moov")
    let (boxes, reader) = try Self.boxes(writer.bytes)
    #expect(boxes.count == 1)
    #expect(reader.rest == 8..<16)
    let problem = try #require(reader.problem)
    #expect(problem.hasPrefix("moov ") && problem.contains(" 8 ") && problem.contains(" \(size) "))
  }

  @Test func zerosArePadding() throws {
    var writer = BoxWriter()
    writer.box("free")
    writer.zeros(12)
    let (boxes, reader) = try Self.boxes(writer.bytes)
    #expect(boxes.count == 1)
    #expect(reader.problem == nil)
    #expect(reader.rest == 8..<20)
  }

  @Test func fourCCHasAReadableDescription() {
    #expect(FourCC("©xyz").rawValue == 0xA978_797A)
    #expect(FourCC(0xA978_797A).description == "©xyz")
    #expect(FourCC(1).description == "\\x00\\x00\\x00\\x01")
    #expect(FourCC("toolong").rawValue == 0)
  }
}
