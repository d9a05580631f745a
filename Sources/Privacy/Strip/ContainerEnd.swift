package import ISOMedia

/// What a file lacks by the sizes that it claims, of the containers that no index of all samples describes.
package struct ContainerEnd {
  /// Bytes that the file should have after its end; 0 also where a stream never claims a size.
  package private(set) var missingByteCount: Int64 = 0
  /// Bytes between its first and its last one in which nothing of the container can be read.
  package private(set) var unreadableByteCount: Int64 = 0

  /// The file says how large it is, so that what is missing at its end is known.
  package private(set) var claimsItsSize = false

  private let source: any ByteSource

  /// - Returns: `nil` for kinds that are not known here.
  package init?(_ source: any ByteSource) throws(ISOMediaError) {
    self.source = source
    let head = try source.bytes(at: 0, count: 12)
    if try EBMLReader.docType(of: source) != nil {
      try readMatroska()
    } else if head.starts(with: "RIFF".utf8), head.suffix(4).elementsEqual("AVI ".utf8) {
      try readRIFF()
    } else if var reader = try TransportReader(source: source) {
      try readPackets(of: reader.packetSize, from: reader.takeSkipped()?.upperBound ?? 0)
    } else {
      return nil
    }
  }

  /// Every element of every cluster, as the audit does: where something else is, libav goes on at the next cluster, and
  /// does not say so.
  private mutating func readMatroska() throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: 0..<source.byteCount)
    while let element = try reader.next() {
      missingByteCount = max(missingByteCount, element.range.upperBound + element.overrun - source.byteCount)
      if element.id == MatroskaSchema.segment, !element.hasUnknownSize { claimsItsSize = true }
      if try isBlank(element) { unreadableByteCount += Int64(element.range.count) }
      guard element.id == MatroskaSchema.segment || element.id == MatroskaSchema.cluster else { continue }
      // A stream's segment and clusters have no sizes: what follows are their elements.
      if element.id == MatroskaSchema.segment || element.hasUnknownSize {
        reader.enter(element)
      } else {
        var children = EBMLReader(source: source, range: element.payload)
        while let child = try children.next() {
          let isCut = child.overrun > 0 && element.overrun == 0
          let isBlank = try isBlank(child)
          if isCut || isBlank { unreadableByteCount += Int64(child.range.count) }
        }
        if children.problem != nil { unreadableByteCount += Int64(children.rest.count) }
      }
    }
    guard reader.problem != nil else { return }
    // Less than a header of an element is left.
    if reader.rest.count < 12 {
      missingByteCount = max(missingByteCount, 1)
    } else {
      unreadableByteCount += Int64(reader.rest.count)
    }
  }

  /// A block starts with the number of its track, which is never 0: libav skips one of zeros, and does not say so.
  private func isBlank(_ element: EBMLElement) throws(ISOMediaError) -> Bool {
    guard element.id == MatroskaSchema.simpleBlock, !element.payload.isEmpty else { return false }
    return try source.bytes(at: element.payload.lowerBound, count: 1) == [0]
  }

  private mutating func readRIFF() throws(ISOMediaError) {
    /// The most that a size can say is what a writer puts there that cannot go back.
    let placeholder: Int64 = 0x7FFF_0000
    var ranges: [Range<Int64>] = [0..<source.byteCount]
    while let range = ranges.popLast() {
      var reader = ChunkReader(source: source, range: range)
      while let chunk = try reader.next() {
        if Int64(chunk.range.count) + chunk.overrun < placeholder {
          // Some writers give a list less than it holds: what counts is the end of the file.
          missingByteCount = max(missingByteCount, chunk.range.upperBound + chunk.overrun - source.byteCount)
        }
        if chunk.type == "RIFF" || chunk.listType == "movi" || chunk.listType == "rec " { ranges.append(chunk.payload) }
      }
      if reader.problem != nil, range.lowerBound > 0 { unreadableByteCount += Int64(reader.rest.count) }
    }
  }

  private mutating func readPackets(of size: Int, from start: Int64) throws(ISOMediaError) {
    let rest = (source.byteCount - start) % Int64(size)
    guard rest > 0 else { return }
    let lead: Int64 = size == 192 ? 4 : 0
    let begin = try source.bytes(at: source.byteCount - rest + lead, count: 1)
    if rest <= lead || begin.first == TransportReader.syncByte { missingByteCount = Int64(size) - rest }
  }
}
