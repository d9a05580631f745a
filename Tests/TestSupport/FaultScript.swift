/// Something that goes wrong with one upload request.
public enum Fault: Equatable, Sendable {
  /// The request is read, nothing of it is stored, and this is the answer.
  case status(Int, headers: [String: String] = [:], body: String = "")
  /// The answer goes out before the body is read, and the rest of the body never is.
  case earlyStatus(Int)
  /// The connection breaks after so many bytes of the body; only the first `keeping` of them are stored.
  case reset(after: Int, keeping: Int)
  /// Nothing is read or answered after so many bytes of the body.
  case stall(after: Int)
  /// Only the first bytes of the chunk are stored, and the answer says so.
  case keepOnly(Int)
  /// Stored, but the 308 has no `Range`.
  case omitRange
  /// Stored, but even the last chunk is answered with 308.
  case stayOpen
  /// 200, although bytes are missing.
  case finishEarly
  /// Done, whatever it is, but the answer is lost.
  case loseAnswer
  /// So many bytes that were confirmed before are lost, the chunk too.
  case forget(Int)
  /// 308 that confirms so many bytes, whatever is stored.
  case claim(Int)
  /// Done and answered; the connection is closed after it.
  case closeAfter
  /// The same without a word of it in the answer, and noticed by nobody before the next request is on its way.
  case closeUnannounced
  /// Done, and answered so many milliseconds later.
  case delay(milliseconds: Int)
  /// Done and answered, but the answer's body comes a byte at a time and never ends.
  case trickle
  /// Done and answered, with these headers on top.
  case addHeaders([String: String])
}

/// Which requests go wrong, and how often.
public struct FaultScript: Sendable {
  public enum Kind: Sendable {
    case any, chunk, query
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

    /// - Parameter skip: so many matching requests go well first.
    public init(_ fault: Fault, on kind: Kind = .chunk, _ count: Count = .counted(1), skip: Int = 0) {
      self.fault = fault
      self.kind = kind
      self.count = count
      self.skip = skip
    }
  }

  private var rules: [Rule]

  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// The fault of the next request: that of the first rule that fits it and is not used up.
  mutating func next(isQuery: Bool) -> Fault? {
    for index in rules.indices where rules[index].fits(isQuery: isQuery) {
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
  fileprivate func fits(isQuery: Bool) -> Bool {
    switch kind {
    case .any: true
    case .chunk: !isQuery
    case .query: isQuery
    }
  }
}
