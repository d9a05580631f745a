/// A text that must not be seen: an upload URL, a token. Printing, interpolating or dumping it shows a placeholder.
public struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The text itself. Only for the request it belongs to; never for logs, errors or the journal.
  public let revealed: String

  /// Takes the text as it is.
  public init(_ revealed: String) { self.revealed = revealed }

  public var description: String { "(hidden)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
