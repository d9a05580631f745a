import Foundation

/// Hands values from one thread to another and holds back the one that is ahead.
///
/// `@unchecked Sendable`: everything is behind the condition's lock.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var elements: [Element] = []
  private var isEnded = false
  private var failure: (any Error)?

  /// - Parameter capacity: values that may wait; with 0 each is handed over before `push` returns.
  init(capacity: Int) { self.capacity = max(capacity, 0) }

  /// Waits until there is room; one thread pushes.
  /// - Throws: what `fail` was called with.
  func push(_ element: Element) throws {
    try condition.withLock {
      while elements.count >= max(capacity, 1), failure == nil { condition.wait() }
      if let failure { throw failure }
      elements.append(element)
      condition.broadcast()
      while elements.count > capacity, failure == nil { condition.wait() }
      if let failure { throw failure }
    }
  }

  /// Waits until there is a value; `nil` behind the last one.
  /// - Throws: what `fail` was called with.
  func pop() throws -> Element? {
    try condition.withLock {
      while elements.isEmpty, !isEnded, failure == nil { condition.wait() }
      if let failure { throw failure }
      guard !elements.isEmpty else { return nil }
      condition.broadcast()
      return elements.removeFirst()
    }
  }

  /// No more values come.
  func end() {
    condition.withLock {
      isEnded = true
      condition.broadcast()
    }
  }

  /// Both sides stop where they are. The first failure counts.
  func fail(_ error: any Error) {
    condition.withLock {
      failure = failure ?? error
      elements = []
      condition.broadcast()
    }
  }
}
