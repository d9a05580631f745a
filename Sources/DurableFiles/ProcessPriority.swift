import CFileShims

/// Changes the scheduling priority of this process.
public enum ProcessPriority {
  /// Permanently lowers this process's CPU and disk priority. Errors are ignored.
  public static func lowerPriorityPermanently() { _ = bsc_yield_to_others() }
}
