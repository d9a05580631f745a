/// A string that must not be displayed, such as an upload URL or a token. Printing or interpolating a secret shows a
/// placeholder.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The secret string. Use it only in the request that requires it, and never in logs, errors or the journal.
  public let revealed: String

  public init(_ revealed: String) { self.revealed = revealed }

  public var description: String { "(hidden)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
