/// A fault of one upload request.
public enum Fault: Equatable, Sendable {
  /// Reads the request, stores nothing, and returns this answer.
  case status(Int, headers: [String: String] = [:], body: String = "")
  /// Answers before the body is read, and never reads the rest.
  case earlyStatus(Int)
  /// Resets the connection after this many bytes of the body, and stores only the first `keeping` of them.
  case reset(after: Int, keeping: Int)
  /// Stops reading and doesn't answer after this many bytes of the body.
  case stall(after: Int)
  /// Stores and confirms only the first bytes of the chunk.
  case keepOnly(Int)
  /// Stores the chunk, but omits `Range` in the 308.
  case omitRange
  /// Stores the chunk, but answers even the last one with 308.
  case stayOpen
  /// Answers 200, although bytes are missing.
  case finishEarly
  /// Processes the request, but loses the answer.
  case loseAnswer
  /// Loses this many confirmed bytes, and the chunk.
  case forget(Int)
  /// Answers with a 308 that confirms this many bytes, regardless of what is stored.
  case claim(Int)
  /// Processes and answers the request, and closes the connection.
  case closeAfter
  /// The same without an announcement, and only when the next request arrives.
  case closeUnannounced
  /// Processes the request, and answers after a delay.
  case delay(milliseconds: Int)
  /// Processes the request, but sends the answer's body byte by byte and never ends it.
  case trickle
  /// Processes and answers the request with additional headers.
  case addHeaders([String: String])
}

/// Which requests have faults, and how often.
public struct FaultScript: Sendable {
  public enum Kind: Sendable {
    case any, chunk, query
    /// The last chunk, with the size of the file.
    case lastChunk
  }

  public enum Count: Sendable {
    case none
    case always
    case counted(Int)
  }

  public struct Rule: Sendable {
    var fault: Fault
    var kind: Kind
    var count: Count
    var skip: Int

    /// - Parameter skip: the number of matching requests before the first fault.
    public init(_ fault: Fault, on kind: Kind = .chunk, _ count: Count = .counted(1), skip: Int = 0) {
      self.fault = fault
      self.kind = kind
      self.count = count
      self.skip = skip
    }
  }

  private var rules: [Rule]

  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// Returns the fault of the next request: that of the first matching rule that isn't used up.
  mutating func next(_ range: FaultRange?) -> Fault? {
    for index in rules.indices where rules[index].fits(range) {
      guard rules[index].skip == 0 else {
        rules[index].skip -= 1
        continue
      }
      switch rules[index].count {
      case .none, .counted(...0): continue
      case .always: return rules[index].fault
      case .counted(let count):
        rules[index].count = .counted(count - 1)
        return rules[index].fault
      }
    }
    return nil
  }
}

extension FaultScript.Rule {
  fileprivate func fits(_ range: FaultRange?) -> Bool {
    switch (kind, range) {
    case (.any, _), (.query, .query), (.chunk, .bytes), (.chunk, nil): true
    case (.lastChunk, .bytes(_, let last, let total)): last + 1 == total
    default: false
    }
  }
}
