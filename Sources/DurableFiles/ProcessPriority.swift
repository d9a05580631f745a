import CFileShims

/// How this process stands to others on the machine.
public enum ProcessPriority {
  /// Waits behind all others for the processor, and for the disk, from now on. What the system does not allow is left.
  public static func yieldToOthers() { _ = bsc_yield_to_others() }
}
