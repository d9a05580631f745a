import Foundation
import Testing

/// The example files of rally metadata that all builders share; they live beside the shared media, outside the package.
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

  /// `BSC_SHARED_MEDIA` names the media folder; metadata is its sibling.
  static let folder: URL = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let media =
      ProcessInfo.processInfo.environment["BSC_SHARED_MEDIA"].map { URL(fileURLWithPath: $0) }
      ?? root.deletingLastPathComponent().appending(path: "shared/media")
    return media.deletingLastPathComponent().appending(path: "metadata")
  }()

  /// Empty, with a warning, when the folder is not there: those tests are then skipped.
  static let entries: [Index.Entry] = {
    guard let data = try? Data(contentsOf: folder.appending(path: "index.json")),
      let index = try? JSONDecoder().decode(Index.self, from: data)
    else {
      print("warning: skipped the shared rally metadata cases: no index.json; set BSC_SHARED_MEDIA")
      return []
    }
    return index.files
  }()

  static func bytes(of file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: file)))
  }
}
