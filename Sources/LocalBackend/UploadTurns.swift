/// One request at a time per upload.
///
/// A client whose connection broke comes back at once, often before the server has noticed the break; so a second
/// request waits a moment for the first to end, and is sent away (503 with `Retry-After`) only then.
actor UploadTurns {
  private struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private var waiters: [String: [Waiter]] = [:]
  private var nextNumber = 0

  /// Takes the turn of an upload, waiting `patience` for it; false when it stayed taken.
  func begin(_ id: String, patience: Duration) async -> Bool {
    if waiters[id] == nil {
      waiters[id] = []
      return true
    }
    nextNumber += 1
    let number = nextNumber
    let timeout = Task {
      try await Task.sleep(for: patience)
      self.giveUp(id, number: number)
    }
    defer { timeout.cancel() }
    return await withCheckedContinuation { continuation in
      waiters[id]?.append(Waiter(number: number, continuation: continuation))
    }
  }

  /// Gives the turn to the next in line.
  func end(_ id: String) {
    guard var line = waiters[id], !line.isEmpty else {
      waiters[id] = nil
      return
    }
    let next = line.removeFirst()
    waiters[id] = line
    next.continuation.resume(returning: true)
  }

  private func giveUp(_ id: String, number: Int) {
    guard let index = waiters[id]?.firstIndex(where: { $0.number == number }) else { return }
    waiters[id]?.remove(at: index).continuation.resume(returning: false)
  }
}
