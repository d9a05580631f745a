import Foundation

/// The manifest of the real camera files.
public enum SharedManifest {
  public struct Row: Sendable, CustomStringConvertible {
    public var file: String
    public var container: String
    public var durationSeconds: Double?
    /// `none`, or exiftool's name.
    public var location: String

    public var description: String { file }
    public var path: String { SharedMedia.folder + "/" + file }
    public var fileExtension: String { (file as NSString).pathExtension }
    public var isISO: Bool { container.hasPrefix("mov,") }
    public var isKnownContainer: Bool {
      isISO || ["matroska", "avi", "mpegts"].contains { container.hasPrefix($0) }
    }
  }

  /// Empty, with a message, when the folder is missing.
  public static let rows: [Row] = {
    let path = SharedMedia.folder + "/MANIFEST.tsv"
    guard let data = FileManager.default.contents(atPath: path) else {
      FileHandle.standardError.write(Data("SKIPPED the tests on real files: no \(path) (set BSC_SHARED_MEDIA)\n".utf8))
      return []
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 11 else { return nil }
      return Row(file: fields[0], container: fields[3], durationSeconds: Double(fields[8]), location: fields[11])
    }
  }()
}
