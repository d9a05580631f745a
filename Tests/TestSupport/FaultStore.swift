/// The behavior of the fault server apart from its script.
public struct FaultServerTraits: Sendable {
  public enum Queries: Sendable {
    case answered
    /// Answers status queries with this status, because the host doesn't support them.
    case unknown(Int)
  }

  /// False for a host that never sends `Range`.
  public var sendsRange: Bool
  /// Whether the last answer has the object's size.
  public var namesSize: Bool
  public var queries: Queries
  /// False for files that are too long to store; they are counted only.
  public var keepsBytes: Bool
  /// The status with which a host refuses chunks that don't specify the file's size; `nil` if it accepts them.
  public var unknownSizeRefusal: Int?

  public init(
    sendsRange: Bool = true, namesSize: Bool = true, queries: Queries = .answered, keepsBytes: Bool = true,
    unknownSizeRefusal: Int? = nil
  ) {
    self.keepsBytes = keepsBytes
    self.unknownSizeRefusal = unknownSizeRefusal
    self.sendsRange = sendsRange
    self.namesSize = namesSize
    self.queries = queries
  }
}

/// A request to the fault server.
public struct FaultRequest: Equatable, Sendable {
  public var contentRange: String
  public var bodyByteCount: Int
  /// `nil` when the client got no answer.
  public var status: Int?
}

/// A parsed Content-Range header.
enum FaultRange: Equatable {
  case query(total: Int?)
  case bytes(first: Int, last: Int, total: Int?)

  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)/) else { return nil }
    let total = Int(match.3)
    if let first = match.1.flatMap({ Int($0) }), let last = match.2.flatMap({ Int($0) }) {
      self = .bytes(first: first, last: last, total: total)
    } else {
      self = .query(total: total)
    }
  }
}

/// One answer of the fault server.
struct FaultAnswer: Equatable, Sendable {
  var status: Int
  var headers: [String: String] = [:]
  var body = ""
}

/// The bytes of one upload, and the server's side of the chunk protocol.
struct FaultStore {
  private var kept: [UInt8]
  private(set) var byteCount: Int
  private(set) var isComplete = false
  var traits: FaultServerTraits
  private var total: Int?

  init(bytes: [UInt8] = [], traits: FaultServerTraits) {
    kept = bytes
    byteCount = bytes.count
    self.traits = traits
  }

  var bytes: [UInt8] { kept }

  /// Returns the answer according to the protocol.
  mutating func handle(_ range: FaultRange, body: [UInt8], finishes: Bool = true) -> FaultAnswer {
    if isComplete { return finished }
    switch range {
    case .query(let total):
      if case .unknown(let status) = traits.queries, total == nil { return FaultAnswer(status: status) }
      if let total, total == byteCount { return finishes ? finish() : incomplete }
      return incomplete
    case .bytes(let first, let last, let total):
      if let problem = refuse(first: first, last: last, total: total, body: body) { return problem }
      keep(body, at: first)
      return finishes && byteCount == total ? finish() : incomplete
    }
  }

  /// Stores a part of a chunk. Overlapping bytes are ignored, and a chunk after a gap is not stored.
  mutating func keep(_ body: some Collection<UInt8>, at first: Int) {
    guard !isComplete, first <= byteCount else { return }
    let more = body.dropFirst(byteCount - first)
    if traits.keepsBytes { kept.append(contentsOf: more) }
    byteCount += more.count
  }

  mutating func forget(_ count: Int) {
    byteCount -= min(count, byteCount)
    kept.removeLast(kept.count - min(kept.count, byteCount))
  }

  mutating func finish() -> FaultAnswer {
    isComplete = true
    return finished
  }

  /// A 308 that confirms the stored bytes.
  var incomplete: FaultAnswer { FaultAnswer(status: 308, headers: rangeHeader(byteCount)) }

  func rangeHeader(_ count: Int) -> [String: String] {
    traits.sendsRange && count > 0 ? ["Range": "bytes=0-\(count - 1)"] : [:]
  }

  private var finished: FaultAnswer {
    guard traits.namesSize else { return FaultAnswer(status: 200) }
    return FaultAnswer(
      status: 200, headers: ["Content-Type": "application/json"], body: #"{"name":"clip","size":"\#(byteCount)"}"#)
  }

  private mutating func refuse(first: Int, last: Int, total: Int?, body: [UInt8]) -> FaultAnswer? {
    let length = last - first + 1
    if let status = traits.unknownSizeRefusal, total == nil { return FaultAnswer(status: status, body: "size missing") }
    guard length > 0, length == body.count else { return FaultAnswer(status: 400, body: "length and range differ") }
    if let total {
      guard self.total ?? total == total, last < total else { return FaultAnswer(status: 400, body: "total changed") }
      self.total = total
    }
    guard length % 262_144 == 0 || last + 1 == total else {
      return FaultAnswer(status: 400, body: "chunk is not a multiple of 262144 bytes")
    }
    guard first <= byteCount else {
      return FaultAnswer(
        status: 503, headers: ["Content-Type": "text/plain"], body: "Content-Range is ahead of the stored bytes")
    }
    return nil
  }
}
