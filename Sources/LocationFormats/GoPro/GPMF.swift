internal import ISOMedia

/// GoPro's metadata format, in the `gpmd` track and in `udta/GPMF`: devices (`DEVC`) with streams (`STRM`) of values.
public enum GPMF {
  /// The maximum nesting depth. Real files use three levels.
  private static let depthLimit = 8

  /// The positions of all streams, in order. For a damaged payload, only the positions before the damage.
  public static func trace(in payload: [UInt8]) -> PositionTrace { survey(payload).trace }

  /// Whether the payload contains a position stream, with or without a fix.
  public static func hasLocation(in payload: [UInt8]) -> Bool { survey(payload).hasLocation }

  /// The payload without its position streams. The sizes of the enclosing elements are corrected; all other bytes are
  /// unchanged.
  /// - Returns: an empty array for a damaged payload, because unreadable parts may contain positions.
  public static func removingLocation(from payload: [UInt8]) -> [UInt8] {
    kept(of: payload[...], depth: 0, where: \.isLocation, removesStream: true)?.bytes ?? []
  }

  /// The payload without serial numbers.
  /// - Returns: an empty array for a damaged payload.
  public static func removingIdentity(from payload: [UInt8]) -> [UInt8] {
    kept(of: payload[...], depth: 0, where: \.isIdentity, removesStream: false)?.bytes ?? []
  }

  /// - Parameter otherwise: the disclosure for an intact payload that contains no positions.
  static func finding(in payload: [UInt8], otherwise: PayloadFinding.Disclosure) -> PayloadFinding {
    let survey = survey(payload)
    if survey.hasLocation { return .location("gopro-gpmf", survey.trace) }
    return PayloadFinding(kind: "gopro-gpmf", disclosure: survey.isDamaged ? .opaque : otherwise, trace: survey.trace)
  }

  private static func survey(_ payload: [UInt8]) -> Survey {
    var survey = Survey()
    survey.read(payload[...], depth: 0)
    return survey
  }

  /// The contents of a payload.
  private struct Survey {
    private(set) var trace = PositionTrace()
    private(set) var hasLocation = false
    private(set) var isDamaged = false

    mutating func read(_ bytes: ArraySlice<UInt8>, depth: Int) {
      var reader = GPMFReader(bytes)
      var stream = GPMFStream()
      while let element = reader.next() {
        hasLocation = hasLocation || element.isLocation
        stream.update(with: element)
        trace.add(stream.positions(of: element))
        guard element.isNested else { continue }
        if depth < GPMF.depthLimit { read(element.payload, depth: depth + 1) } else { isDamaged = true }
      }
      isDamaged = isDamaged || reader.isDamaged
    }
  }

  /// - Parameter removesStream: whether a stream with a removed element is removed as a whole.
  /// - Returns: `nil` for damaged bytes.
  private static func kept(
    of bytes: ArraySlice<UInt8>, depth: Int, where isRemoved: (GPMFElement) -> Bool, removesStream: Bool
  ) -> (bytes: [UInt8], hasChanged: Bool)? {
    guard depth < depthLimit else { return nil }
    var reader = GPMFReader(bytes)
    var output: [UInt8] = []
    var hasChanged = false
    while let element = reader.next() {
      if isRemoved(element) {
        hasChanged = true
      } else if !element.isNested {
        output += element.whole
      } else {
        guard let inner = kept(of: element.payload, depth: depth + 1, where: isRemoved, removesStream: removesStream)
        else { return nil }
        hasChanged = hasChanged || inner.hasChanged
        if !inner.hasChanged {
          output += element.whole
        } else if !removesStream || element.key != "STRM" {
          guard let header = header(of: element, byteCount: inner.bytes.count) else { return nil }
          output += header + inner.bytes
        }
      }
    }
    guard !reader.isDamaged else { return nil }
    return hasChanged ? (output, true) : (Array(bytes), false)
  }

  /// Returns the container's header with a different size, which must be the product of an 8-bit and a 16-bit number.
  private static func header(of element: GPMFElement, byteCount: Int) -> [UInt8]? {
    guard let size = (1...255).first(where: { byteCount % $0 == 0 && byteCount / $0 <= 0xFFFF }) else { return nil }
    let count = byteCount / size
    return element.whole.prefix(4) + [0, UInt8(size), UInt8(count >> 8), UInt8(count & 0xFF)]
  }
}
