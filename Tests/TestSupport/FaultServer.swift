import Synchronization

/// The PUT endpoint of the chunk protocol on loopback, with scripted faults. It shares no code with what it tests.
public final class FaultServer: Sendable {
  private let listener: FaultListener
  private let state: FaultServerState

  /// - Parameter stored: the bytes of an earlier run.
  public init(
    _ rules: [FaultScript.Rule] = [], traits: FaultServerTraits = FaultServerTraits(), stored: [UInt8] = []
  ) async throws {
    let state = FaultServerState(script: FaultScript(rules), store: FaultStore(bytes: stored, traits: traits))
    self.state = state
    listener = try await FaultListener { FaultUploadHandler(state: state) }
  }

  /// Contains a token that must not appear anywhere else.
  public var url: String { "http://127.0.0.1:\(listener.port)/upload/1?token=\(Self.token)" }

  public static let token = "hush-hush"

  /// The stored bytes.
  public var bytes: [UInt8] { state.withLock { $0.store.bytes } }

  /// The number of stored bytes.
  public var byteCount: Int { state.withLock { $0.store.byteCount } }

  public var isComplete: Bool { state.withLock { $0.store.isComplete } }

  public var requests: [FaultRequest] { state.withLock { $0.requests } }

  /// The number of opened connections.
  public var connectionCount: Int { state.withLock { $0.connectionCount } }

  public func stop() async throws { try await listener.stop() }
}

/// The state of all connections.
final class FaultServerState: Sendable {
  struct Contents {
    var script: FaultScript
    var store: FaultStore
    var requests: [FaultRequest] = []
    var connectionCount = 0
  }

  private let contents: Mutex<Contents>

  init(script: FaultScript, store: FaultStore) { contents = Mutex(Contents(script: script, store: store)) }

  func withLock<Value: Sendable>(_ body: (inout Contents) -> Value) -> Value { contents.withLock { body(&$0) } }
}
