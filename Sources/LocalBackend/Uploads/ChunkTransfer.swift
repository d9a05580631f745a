import Synchronization

/// A running request of an upload, and whether it is waiting for bytes.
final class ChunkTransfer: Sendable {
  /// One wait for the next bytes of the body. Each wait is a new object, so an unchanged pause means that nothing has
  /// arrived.
  final class Pause: Sendable {
    /// The number of bytes from the start of the file that have been written.
    let offset: Int64
    /// Makes the written bytes durable.
    let file: PartFile

    init(at offset: Int64, of file: PartFile) {
      self.offset = offset
      self.file = file
    }
  }

  /// Ends the request as if the connection were lost: the bytes it has received are recorded.
  let disconnect: @Sendable () -> Void
  private let currentPause = Mutex<Pause?>(nil)

  init(disconnect: @escaping @Sendable () -> Void) { self.disconnect = disconnect }

  /// `nil` while the request is busy with other work.
  var pause: Pause? {
    get { currentPause.withLock { $0 } }
    set { currentPause.withLock { $0 = newValue } }
  }
}
