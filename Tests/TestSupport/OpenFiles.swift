import Foundation

/// The files that this process has opened.
public enum OpenFiles {
  /// Returns the open files whose paths start with a prefix, or nothing on systems without `/proc`.
  public static func paths(withPrefix prefix: String) -> [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix(prefix) }
  }
}
