public import ClipModel
import LibAV

/// What the installed media libraries can do for bsc.
public enum MediaCapabilities {
  /// Everything the pipeline needs, each looked up in the libraries that are loaded now.
  public static var current: [MediaCapability] { LoadedLibraries.capabilities }
}
