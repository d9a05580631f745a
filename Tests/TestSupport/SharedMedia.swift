import Foundation

/// Real camera files outside the project: in `BSC_SHARED_MEDIA`, by default `../shared/media` next to the package.
public enum SharedMedia {
  /// The package's folder.
  public static var packageFolder: String {
    // Tests/TestSupport/SharedMedia.swift
    (#filePath as NSString).deletingLastPathComponent.appending("/../..")
  }

  public static var folder: String {
    ProcessInfo.processInfo.environment["BSC_SHARED_MEDIA"] ?? packageFolder + "/../shared/media"
  }

  /// The path of a file; `nil`, with a message, when the folder is missing.
  public static func path(_ name: String, skipping what: String = #function) -> String? {
    let path = folder + "/" + name
    if FileManager.default.fileExists(atPath: path) { return path }
    let line = "SKIPPED \(what): no \(name) in \(folder) (set BSC_SHARED_MEDIA)\n"
    FileHandle.standardError.write(Data(line.utf8))
    return nil
  }

  /// A sample of the project.
  public static func sample(_ name: String) -> String { packageFolder + "/Samples/" + name }
}
