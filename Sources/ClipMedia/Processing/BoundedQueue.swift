import Foundation

/// Passes values from one thread to another, and blocks the faster thread.
///
/// `@unchecked Sendable`: the condition's lock protects all state.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var elements: [Element] = []
  private var isEnded = false
  private var failure: (any Error)?

  /// - Parameter capacity: the maximum number of queued values. If 0, `push` returns after its value has been popped.
  init(capacity: Int) { self.capacity = max(capacity, 0) }

  /// Adds a value to the queue, and blocks until there is room for it. Only one thread may call `push`.
  /// - Throws: the error passed to `fail`.
  func push(_ element: Element) throws {
    try condition.withLock {
      try wait { elements.count >= max(capacity, 1) }
      elements.append(element)
      condition.broadcast()
      try wait { elements.count > capacity }
    }
  }

  /// Returns the next value, or `nil` after the last one. Blocks until a value is available.
  /// - Throws: the error passed to `fail`.
  func pop() throws -> Element? {
    try condition.withLock {
      try wait { elements.isEmpty && !isEnded }
      guard !elements.isEmpty else { return nil }
      condition.broadcast()
      return elements.removeFirst()
    }
  }

  /// Waits on the condition. The caller must hold the lock.
  private func wait(while isBlocked: () -> Bool) throws {
    while isBlocked(), failure == nil { condition.wait() }
    if let failure { throw failure }
  }

  /// Ends the queue. Values that are already queued can still be popped.
  func end() {
    condition.withLock {
      isEnded = true
      condition.broadcast()
    }
  }

  /// Stops both threads immediately. If called more than once, the first error is used.
  func fail(_ error: any Error) {
    condition.withLock {
      failure = failure ?? error
      elements = []
      condition.broadcast()
    }
  }
}
