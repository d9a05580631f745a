import Foundation

/// The scope of the tests: `Scripts/test --all` sets BSC_TEST_ALL.
public enum TestScope {
  public static var isFull: Bool { ProcessInfo.processInfo.environment["BSC_TEST_ALL"] != nil }
}
