import Synchronization

/// A request of an upload that has its turn, and whether it waits for bytes.
final class ChunkTransfer: Sendable {
  /// A wait for the next bytes of the body. Two are the same when nothing arrived between them.
  struct Pause: Equatable, Sendable {
    /// Bytes of the file that are written, from its beginning.
    var offset: Int64
    /// Makes them durable.
    var file: PartFile
    fileprivate var number: Int

    static func == (left: Pause, right: Pause) -> Bool { left.number == right.number }
  }

  private struct State {
    var pause: Pause?
    var pauseCount = 0
  }

  /// Ends the request as a broken connection would: what it received is recorded.
  let disconnect: @Sendable () -> Void
  private let state = Mutex(State())

  init(disconnect: @escaping @Sendable () -> Void) { self.disconnect = disconnect }

  /// `nil` while the request is busy with something else.
  var pause: Pause? { state.withLock { $0.pause } }

  func beginPause(at offset: Int64, of file: PartFile) {
    state.withLock { state in
      state.pauseCount += 1
      state.pause = Pause(offset: offset, file: file, number: state.pauseCount)
    }
  }

  func endPause() { state.withLock { $0.pause = nil } }
}
