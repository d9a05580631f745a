/// The handles of a sync with their results, one of which is being read. A handle that fails doesn't stop the others.
struct HandleQueue {
  private(set) var results: [HandleResult]
  private var waiting: [Int]
  /// The index of the handle that is being read.
  private(set) var current: Int?
  /// The problem that ended the sync.
  private(set) var end: SyncProblem?

  init(_ handles: [SyncStart]) {
    results = handles.map {
      HandleResult(handle: $0.handle, sinceId: $0.sinceId, pagePosition: $0.pagePosition, newestId: $0.newestId)
    }
    waiting = Array(results.indices)
  }

  /// Whether a handle is being read or is still to be read.
  var hasMore: Bool { end == nil && (current != nil || waiting.contains { results[$0].problem == nil }) }

  /// Begins with the next handle that has no problem. `nil` after the last one.
  mutating func next() -> Int? {
    while current == nil, end == nil, !waiting.isEmpty {
      let index = waiting.removeFirst()
      if results[index].problem == nil { current = index }
    }
    return end == nil ? current : nil
  }

  mutating func change(_ index: Int, _ change: (inout HandleResult) -> Void) { change(&results[index]) }

  /// The current handle is read completely.
  mutating func finish(sinceId: String?) {
    guard let current else { return }
    if let sinceId { results[current].sinceId = sinceId }
    results[current].pagePosition = nil
    results[current].newestId = nil
    self.current = nil
  }

  mutating func fail(_ problem: SyncProblem) {
    if let current { setProblem(problem, of: current) }
    current = nil
    if problem.endsSync { endSync(problem) }
  }

  /// The problem belongs to the handle, or to all of them if it ends the sync.
  mutating func setProblem(_ problem: SyncProblem, of index: Int) {
    results[index].problem = problem
    if !problem.endsSync { results[index].wasRead = true }
    if !problem.keepsPosition {
      results[index].pagePosition = nil
      results[index].newestId = nil
    }
  }

  /// The handles that were not read get the problem, too.
  mutating func endSync(_ problem: SyncProblem) {
    end = problem
    for index in waiting where results[index].problem == nil { results[index].problem = problem }
    waiting = []
  }
}
