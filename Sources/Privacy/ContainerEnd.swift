package import ISOMedia

/// Where a file should end by the sizes that it claims, of the containers that no index of all samples describes.
package enum ContainerEnd {
  /// Bytes that the file should have after its end: its sizes claim more, or its last packet is incomplete.
  /// - Returns: 0 when all that is claimed is there, also where a stream never claims anything; `nil` for other kinds.
  package static func missingByteCount(in source: any ByteSource) throws(ISOMediaError) -> Int64? {
    if try EBMLReader.docType(of: source) != nil { return try ofMatroska(source) }
    let head = try source.bytes(at: 0, count: 12)
    if head.starts(with: "RIFF".utf8), head.suffix(4).elementsEqual("AVI ".utf8) { return try ofRIFF(source) }
    if var reader = try TransportReader(source: source) {
      return try ofPackets(of: reader.packetSize, from: reader.takeSkipped()?.upperBound ?? 0, in: source)
    }
    return nil
  }

  private static func ofMatroska(_ source: any ByteSource) throws(ISOMediaError) -> Int64 {
    var missing: Int64 = 0
    var reader = EBMLReader(source: source, range: 0..<source.byteCount)
    while let element = try reader.next() {
      missing = max(missing, element.range.upperBound + element.overrun - source.byteCount)
      // A stream's segment and clusters have no sizes; their elements do.
      if element.id == MatroskaSchema.segment || (element.id == MatroskaSchema.cluster && element.hasUnknownSize) {
        reader.enter(element)
      }
    }
    // Less than a header of an element is left.
    if missing == 0, reader.problem != nil, reader.rest.count < 12 { return 1 }
    return missing
  }

  private static func ofRIFF(_ source: any ByteSource) throws(ISOMediaError) -> Int64 {
    /// The most that a size can say is what a writer puts there that cannot go back.
    let placeholder: Int64 = 0x7FFF_0000
    var (missing, ranges): (Int64, [Range<Int64>]) = (0, [0..<source.byteCount])
    while let range = ranges.popLast() {
      var reader = ChunkReader(source: source, range: range)
      while let chunk = try reader.next() {
        if Int64(chunk.range.count) + chunk.overrun < placeholder {
          // Some writers give a list less than it holds: what counts is the end of the file.
          missing = max(missing, chunk.range.upperBound + chunk.overrun - source.byteCount)
        }
        if chunk.type == "RIFF" || chunk.listType == "movi" || chunk.listType == "rec " { ranges.append(chunk.payload) }
      }
    }
    return missing
  }

  private static func ofPackets(
    of size: Int, from start: Int64, in source: any ByteSource
  ) throws(ISOMediaError) -> Int64 {
    let rest = (source.byteCount - start) % Int64(size)
    guard rest > 0 else { return 0 }
    let lead: Int64 = size == 192 ? 4 : 0
    let begin = try source.bytes(at: source.byteCount - rest + lead, count: 1)
    return rest <= lead || begin.first == TransportReader.syncByte ? Int64(size) - rest : 0
  }
}
