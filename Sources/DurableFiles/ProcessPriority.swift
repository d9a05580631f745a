import CFileShims

/// The scheduling priority of this process.
public enum ProcessPriority {
  /// Lowers the priority for processor and disk permanently. Failures are ignored.
  public static func yieldToOthers() { _ = bsc_yield_to_others() }
}
