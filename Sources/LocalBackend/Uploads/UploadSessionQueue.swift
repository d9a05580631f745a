/// Runs one request at a time for each upload.
///
/// A client that lost its connection often reconnects before the server notices the loss. Therefore, a second request
/// waits briefly for the first one to end. If the first request receives no bytes in that time, the caller decides
/// whether the second request takes over. Otherwise, the second request is rejected with status 503 and `Retry-After`.
actor UploadSessionQueue {
  enum Outcome: Sendable {
    case begun
    /// The active request is still receiving bytes or doing other work.
    case busy
    /// The active request received no bytes during the wait.
    case idle(ChunkTransfer, ChunkTransfer.Pause)
  }

  private struct Waiter {
    let transfer: ChunkTransfer
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private struct Session {
    var running: ChunkTransfer
    var waiters: [Waiter] = []
  }

  private var sessions: [String: Session] = [:]

  /// Begins a request for an upload. If another request is active, waits up to `timeout` for it to end.
  func begin(_ id: String, _ transfer: ChunkTransfer, timeout: Duration) async -> Outcome {
    guard let running = sessions[id]?.running else {
      sessions[id] = Session(running: transfer)
      return .begun
    }
    let pause = running.pause
    let timer = Task {
      try await Task.sleep(for: timeout)
      self.stopWaiting(id, transfer, running, pause)
    }
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      sessions[id]?.waiters.append(Waiter(transfer: transfer, continuation: continuation))
    }
  }

  /// Ends the active request for an upload, and begins the next one.
  func end(_ id: String) {
    guard var session = sessions[id], !session.waiters.isEmpty else {
      sessions[id] = nil
      return
    }
    let next = session.waiters.removeFirst()
    session.running = next.transfer
    sessions[id] = session
    next.continuation.resume(returning: .begun)
  }

  private func stopWaiting(
    _ id: String, _ transfer: ChunkTransfer, _ running: ChunkTransfer, _ pause: ChunkTransfer.Pause?
  ) {
    guard let session = sessions[id], let index = session.waiters.firstIndex(where: { $0.transfer === transfer }) else {
      return
    }
    var outcome = Outcome.busy
    if let pause, session.running === running, running.pause === pause { outcome = .idle(running, pause) }
    sessions[id]?.waiters.remove(at: index).continuation.resume(returning: outcome)
  }
}
