import Foundation

/// Passes values from one thread to another, and blocks the faster one.
///
/// `@unchecked Sendable`: the condition's lock protects all state.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var elements: [Element] = []
  private var isEnded = false
  private var failure: (any Error)?

  /// - Parameter capacity: the number of waiting values. With 0, `push` returns when its value has been popped.
  init(capacity: Int) { self.capacity = max(capacity, 0) }

  /// Adds a value, and blocks until there is room. Only one thread may push.
  /// - Throws: the error passed to `fail`.
  func push(_ element: Element) throws {
    try condition.withLock {
      try wait { elements.count >= max(capacity, 1) }
      elements.append(element)
      condition.broadcast()
      try wait { elements.count > capacity }
    }
  }

  /// Returns the next value, and blocks until there is one; `nil` after the last one.
  /// - Throws: the error passed to `fail`.
  func pop() throws -> Element? {
    try condition.withLock {
      try wait { elements.isEmpty && !isEnded }
      guard !elements.isEmpty else { return nil }
      condition.broadcast()
      return elements.removeFirst()
    }
  }

  /// Call with the lock held.
  private func wait(while isBlocked: () -> Bool) throws {
    while isBlocked(), failure == nil { condition.wait() }
    if let failure { throw failure }
  }

  /// Ends the queue after the values that it has.
  func end() {
    condition.withLock {
      isEnded = true
      condition.broadcast()
    }
  }

  /// Stops both sides at once. The first error wins.
  func fail(_ error: any Error) {
    condition.withLock {
      failure = failure ?? error
      elements = []
      condition.broadcast()
    }
  }
}
