/// One request at a time per upload.
///
/// A client whose connection broke comes back at once, often before the server has noticed the break; so a second
/// request waits a moment for the first to end. If the first received nothing in that time, the caller decides whether the
/// second takes over; otherwise it is rejected (503 with `Retry-After`).
actor UploadSessionQueue {
  enum Outcome: Sendable {
    case begun
    /// The running request still receives bytes, or does something else.
    case busy
    /// The running request has been waiting for bytes all the time.
    case silent(ChunkTransfer, ChunkTransfer.Pause)
  }

  private struct Waiter {
    let number: Int
    let transfer: ChunkTransfer
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private struct Turn {
    var running: ChunkTransfer
    var waiters: [Waiter] = []
  }

  private var turns: [String: Turn] = [:]
  private var nextNumber = 0

  /// Takes the turn of an upload, waiting `patience` for it.
  func begin(_ id: String, _ transfer: ChunkTransfer, patience: Duration) async -> Outcome {
    guard let running = turns[id]?.running else {
      turns[id] = Turn(running: transfer)
      return .begun
    }
    nextNumber += 1
    let number = nextNumber
    let pause = running.pause
    let timeout = Task {
      try await Task.sleep(for: patience)
      self.giveUp(id, number: number, running, pause)
    }
    defer { timeout.cancel() }
    return await withCheckedContinuation { continuation in
      turns[id]?.waiters.append(Waiter(number: number, transfer: transfer, continuation: continuation))
    }
  }

  /// Gives the turn to the next in line.
  func end(_ id: String) {
    guard var turn = turns[id], !turn.waiters.isEmpty else {
      turns[id] = nil
      return
    }
    let next = turn.waiters.removeFirst()
    turn.running = next.transfer
    turns[id] = turn
    next.continuation.resume(returning: .begun)
  }

  private func giveUp(_ id: String, number: Int, _ running: ChunkTransfer, _ pause: ChunkTransfer.Pause?) {
    guard let turn = turns[id], let index = turn.waiters.firstIndex(where: { $0.number == number }) else { return }
    let outcome: Outcome
    if let pause, turn.running === running, running.pause == pause {
      outcome = .silent(running, pause)
    } else {
      outcome = .busy
    }
    turns[id]?.waiters.remove(at: index).continuation.resume(returning: outcome)
  }
}
