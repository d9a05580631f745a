internal import ISOMedia

/// Reads GoPro's metadata format, which is used in `gpmd` tracks and `udta/GPMF`: devices (`DEVC`) contain streams
/// (`STRM`) of values.
public enum GPMF {
  /// The maximum nesting depth. Real files use three levels.
  private static let depthLimit = 8

  /// Returns the positions in all streams, in order. If the payload is damaged, returns only the positions before the
  /// damage.
  public static func trace(in payload: [UInt8]) -> PositionTrace { surveyPayload(payload).trace }

  /// Whether the payload contains a position stream, with or without a GPS fix.
  public static func hasLocation(in payload: [UInt8]) -> Bool { surveyPayload(payload).hasLocation }

  /// Returns the payload without its position streams. The sizes of the enclosing elements are adjusted; all other
  /// bytes stay the same.
  /// - Returns: an empty array for a damaged payload, because the unreadable parts may contain positions.
  public static func removingLocation(from payload: [UInt8]) -> [UInt8] {
    removeElements(from: payload[...], depth: 0, where: \.isLocation, removesStream: true)?.bytes ?? []
  }

  /// Returns the payload without serial numbers.
  /// - Returns: an empty array for a damaged payload.
  public static func removingIdentity(from payload: [UInt8]) -> [UInt8] {
    removeElements(from: payload[...], depth: 0, where: \.isIdentity, removesStream: false)?.bytes ?? []
  }

  /// Returns a finding for the payload.
  /// - Parameter otherwise: the disclosure for an intact payload that contains no positions.
  static func finding(in payload: [UInt8], otherwise: PayloadFinding.Disclosure) -> PayloadFinding {
    let survey = surveyPayload(payload)
    if survey.hasLocation { return .location("gopro-gpmf", survey.trace) }
    return PayloadFinding(kind: "gopro-gpmf", disclosure: survey.isDamaged ? .opaque : otherwise, trace: survey.trace)
  }

  private static func surveyPayload(_ payload: [UInt8]) -> PayloadSurvey {
    var survey = PayloadSurvey()
    survey.read(payload[...], depth: 0)
    return survey
  }

  /// A summary of the contents of a payload.
  private struct PayloadSurvey {
    private(set) var trace = PositionTrace()
    private(set) var hasLocation = false
    private(set) var isDamaged = false

    mutating func read(_ bytes: ArraySlice<UInt8>, depth: Int) {
      var reader = GPMFReader(bytes)
      var stream = GPMFStream()
      while let element = reader.next() {
        hasLocation = hasLocation || element.isLocation
        stream.update(with: element)
        trace.add(stream.readPositions(of: element))
        guard element.isNested else { continue }
        if depth < GPMF.depthLimit { read(element.payload, depth: depth + 1) } else { isDamaged = true }
      }
      isDamaged = isDamaged || reader.isDamaged
    }
  }

  /// Returns the bytes without the elements that match `isRemoved`.
  /// - Parameter removesStream: whether to remove the entire stream if one of its elements is removed.
  /// - Returns: `nil` if the bytes are damaged.
  private static func removeElements(
    from bytes: ArraySlice<UInt8>, depth: Int, where isRemoved: (GPMFElement) -> Bool, removesStream: Bool
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
        guard
          let inner = removeElements(
            from: element.payload, depth: depth + 1, where: isRemoved, removesStream: removesStream)
        else { return nil }
        hasChanged = hasChanged || inner.hasChanged
        if !inner.hasChanged {
          output += element.whole
        } else if !removesStream || element.key != "STRM" {
          guard let header = makeHeader(of: element, byteCount: inner.bytes.count) else { return nil }
          output += header + inner.bytes
        }
      }
    }
    guard !reader.isDamaged else { return nil }
    return hasChanged ? (output, true) : (Array(bytes), false)
  }

  /// Returns the container's header with a different size. The size must be the product of an 8-bit and a 16-bit
  /// number.
  private static func makeHeader(of element: GPMFElement, byteCount: Int) -> [UInt8]? {
    guard let size = (1...255).first(where: { byteCount % $0 == 0 && byteCount / $0 <= 0xFFFF }) else { return nil }
    let count = byteCount / size
    return element.whole.prefix(4) + [0, UInt8(size), UInt8(count >> 8), UInt8(count & 0xFF)]
  }
}
