import Synchronization

/// An active upload request that knows whether it is waiting for bytes.
final class ChunkTransfer: Sendable {
  /// A wait for the next bytes of the body. Every wait creates a new object, so an unchanged pause means that no bytes
  /// have arrived.
  final class Pause: Sendable {
    /// The number of bytes that have been written to the file.
    let offset: Int64
    /// The file that the request is writing to.
    let file: PartFile

    init(at offset: Int64, of file: PartFile) {
      self.offset = offset
      self.file = file
    }
  }

  /// Ends the request as if the connection had been lost. The request records its received bytes.
  let disconnect: @Sendable () -> Void
  private let currentPause = Mutex<Pause?>(nil)

  init(disconnect: @escaping @Sendable () -> Void) { self.disconnect = disconnect }

  /// The current wait for bytes; `nil` while the request is doing other work.
  var pause: Pause? {
    get { currentPause.withLock { $0 } }
    set { currentPause.withLock { $0 = newValue } }
  }
}
