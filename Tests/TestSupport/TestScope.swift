import Foundation

/// The scope of the tests: `Scripts/test --all` sets BSC_TEST_ALL.
public enum TestScope {
  public static var isFull: Bool { ProcessInfo.processInfo.environment["BSC_TEST_ALL"] != nil }

  /// The seeds from 1 to `all` with `--all`, otherwise those to `count`.
  public static func seeds(_ count: UInt64, of all: UInt64) -> ClosedRange<UInt64> { 1...(isFull ? all : count) }

  /// All cases with `--all`, otherwise `count` of them: the first, and others at equal distances. For tests whose cases
  /// take seconds each and fail for the same reasons.
  public static func some<Cases: Collection>(_ count: Int, of cases: Cases) -> [Cases.Element] {
    let all = Array(cases)
    return isFull || count >= all.count ? all : (0..<count).map { all[$0 * all.count / count] }
  }
}
