import Foundation

/// The files that this process has opened.
public enum OpenFiles {
  /// Returns the open files whose paths start with a prefix. Symbolic links in the prefix are resolved.
  public static func paths(withPrefix prefix: String) -> [String] {
    let resolved = URL(filePath: prefix).resolvingSymlinksInPath().path
    return paths().filter { $0.hasPrefix(resolved) }
  }

  #if os(Linux)
  private static func paths() -> [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
  }
  #else
  private static func paths() -> [String] {
    (0..<getdtablesize()).compactMap { descriptor in
      var bytes = [UInt8](repeating: 0, count: Int(MAXPATHLEN))
      guard fcntl(descriptor, F_GETPATH, &bytes) == 0 else { return nil }
      let path = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      // Foundation also removes `/private` when it resolves links.
      return path.hasPrefix("/private/") ? String(path.dropFirst("/private".count)) : path
    }
  }
  #endif
}
