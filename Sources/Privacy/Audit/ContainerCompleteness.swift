package import ISOMedia

/// Compares the sizes that a file declares with its actual size. Used for containers that have no index of all samples.
package struct ContainerCompleteness {
  /// The number of bytes that are missing at the end of the file; 0 for streams that don't declare their size.
  package private(set) var missingByteCount: Int64 = 0
  /// The number of bytes in the file that cannot be parsed.
  package private(set) var unreadableByteCount: Int64 = 0

  /// Whether the file declares its size, so that missing bytes at the end can be detected.
  package private(set) var declaresSize = false

  private let source: any ByteSource

  /// Checks the sizes that a file declares.
  /// - Returns: `nil` for unknown containers.
  package init?(_ source: any ByteSource) throws(ISOMediaError) {
    self.source = source
    let head = try source.bytes(at: 0, count: 12)
    if try EBMLReader.docType(of: source) != nil {
      try readMatroska()
    } else if head.starts(with: "RIFF".utf8), head.suffix(4).elementsEqual("AVI ".utf8) {
      try readRIFF()
    } else if var reader = try TransportReader(source: source) {
      try readPackets(of: reader.packetSize, from: reader.takeSkippedRange()?.upperBound ?? 0)
    } else {
      return nil
    }
  }

  /// Reads every element of every cluster, because libav silently skips damaged elements up to the next cluster.
  private mutating func readMatroska() throws(ISOMediaError) {
    var reader = EBMLReader(source: source, range: 0..<source.byteCount)
    while let element = try reader.next() {
      missingByteCount = max(missingByteCount, element.range.upperBound + element.overrun - source.byteCount)
      if element.id == MatroskaSchema.segment, !element.hasUnknownSize { declaresSize = true }
      if try isBlank(element) { unreadableByteCount += Int64(element.range.count) }
      guard element.id == MatroskaSchema.segment || element.id == MatroskaSchema.cluster else { continue }
      // In a live recording, the sizes are unknown, so the next elements are children of the segment and its clusters.
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
    // If the remaining bytes are too short for a header, the file is truncated.
    if reader.rest.count < 12 {
      missingByteCount = max(missingByteCount, 1)
    } else {
      unreadableByteCount += Int64(reader.rest.count)
    }
  }

  /// Whether a block contains only zeros, which libav silently skips. A valid block starts with its track number, which
  /// is never 0.
  private func isBlank(_ element: EBMLElement) throws(ISOMediaError) -> Bool {
    guard element.id == MatroskaSchema.simpleBlock, !element.payload.isEmpty else { return false }
    return try source.bytes(at: element.payload.lowerBound, count: 1) == [0]
  }

  private mutating func readRIFF() throws(ISOMediaError) {
    /// The size that muxers store if they can't seek.
    let placeholder: Int64 = 0x7FFF_0000
    var ranges: [Range<Int64>] = [0..<source.byteCount]
    while let range = ranges.popLast() {
      var reader = ChunkReader(source: source, range: range)
      while let chunk = try reader.next() {
        if Int64(chunk.range.count) + chunk.overrun < placeholder {
          // Some muxers store a list size that is too small, so only the end of the file matters.
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
