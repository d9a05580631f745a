/// Waits for conditions that must become true. An idle machine needs a fraction of the limit, a loaded one may need
/// most.
public enum TestTimeout {
  public static let limit = Duration.seconds(180)

  /// Polls until the condition holds.
  /// - Returns: `false` when it doesn't hold within the limit.
  @discardableResult
  public static func wait(until holds: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while try await !holds() {
      if ContinuousClock.now > end { return false }
      try await Task.sleep(for: .milliseconds(5))
    }
    return true
  }
}
