import Foundation
import Testing

/// The shared example files of rally metadata. They are next to the shared media, outside the package.
enum SharedMetadata {
  struct Index: Decodable {
    struct Entry: Decodable, CustomTestStringConvertible {
      var file: String
      var sourceDuration: Double
      var expect: String
      var check: Int?

      var testDescription: String { file }
    }
    var files: [Entry]
  }

  /// `BSC_SHARED_MEDIA` is the media folder; the metadata folder is next to it.
  static let folder: URL = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let media =
      ProcessInfo.processInfo.environment["BSC_SHARED_MEDIA"].map { URL(fileURLWithPath: $0) }
      ?? root.deletingLastPathComponent().appending(path: "shared/media")
    return media.deletingLastPathComponent().appending(path: "metadata")
  }()

  /// Empty, with a warning, if the folder does not exist. The tests are skipped then.
  static let entries: [Index.Entry] = {
    guard let data = try? Data(contentsOf: folder.appending(path: "index.json")),
      let index = try? JSONDecoder().decode(Index.self, from: data)
    else {
      print("warning: skipped the tests with shared rally metadata: no index.json; set BSC_SHARED_MEDIA")
      return []
    }
    return index.files
  }()

  static func bytes(of file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: file)))
  }
}
