import Foundation

/// How much is tested: `Scripts/test --all` sets BSC_TEST_ALL.
public enum TestScope {
  public static var isFull: Bool { ProcessInfo.processInfo.environment["BSC_TEST_ALL"] != nil }
}
