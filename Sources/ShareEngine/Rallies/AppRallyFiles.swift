import ClipModel
import DurableFiles
import Foundation

/// The app's files in the folder of a match's metadata. They contain the saved rallies and the rallies' trims.
struct AppRallyFiles: Sendable {
  let metadataPath: String
  let videoID: UUID

  private static let byteLimit = 16 << 20

  /// Reads the rallies that the user saved in the app, from `<videoId>_selections.json`.
  /// - Parameter path: the path of the file, or `nil` to search the metadata's folder.
  /// - Throws: `ShareEngineError` if the file is missing or invalid, or `DurableFileError` if it cannot be read.
  func readSavedRallies(at path: String? = nil) throws -> RallyIndexSelection {
    struct SelectionsDocument: Decodable { var saved: [Int] }
    let path = try path ?? selectionsPath()
    let document: SelectionsDocument = try decodeFile(path)
    guard document.saved.allSatisfy({ $0 >= 0 }) else { throw makeInvalidFileError(path, "a rally number is negative") }
    return RallyIndexSelection(document.saved)
  }

  /// Returns the path of the app's selections file in the metadata's folder.
  /// - Throws: `ShareEngineError` if the file is missing.
  func selectionsPath() throws -> String {
    try findFile("selections", why: "the saved rallies are in a list from the app")
  }

  /// Reads the trims of each rally from `<videoId>_trims.json`.
  /// - Parameter path: the path of the file, or `nil` to search the metadata's folder.
  func readTrims(at path: String? = nil) throws -> [Int: RallyTrim] {
    struct TrimEntry: Decodable {
      var before: Double
      var after: Double
      var rotation: Double?
      var zoom: Double?
      var panX: Double?
      var panY: Double?
    }
    let path = try path ?? findFile("trims", why: "the trims are in a list from the app")
    let document: [String: TrimEntry] = try decodeFile(path)
    let trims = try document.map { key, entry in
      guard let index = Int(key), index >= 0 else {
        throw makeInvalidFileError(path, "\"\(key)\" is not a rally number")
      }
      guard abs(entry.before) <= 86_400, abs(entry.after) <= 86_400 else {
        throw makeInvalidFileError(path, "the trim of rally \(index) exceeds one day")
      }
      let changesPicture =
        entry.zoom ?? 1 != 1 || [entry.rotation, entry.panX, entry.panY].contains { $0 ?? 0 != 0 }
      return (index, RallyTrim(before: entry.before, after: entry.after, changesPicture: changesPicture))
    }
    return Dictionary(trims) { _, last in last }
  }

  /// Finds a file that is named after the video ID, in uppercase or lowercase, or after the metadata file.
  private func findFile(_ kind: String, why: String) throws -> String {
    let folder = (metadataPath as NSString).deletingLastPathComponent
    let stem = ((metadataPath as NSString).lastPathComponent as NSString).deletingPathExtension
    let candidates = ["\(videoID.uuidString)_\(kind).json", "\(stem)_\(kind).json"]
    let names = try Folder.names(in: folder.isEmpty ? "." : folder)
    for candidate in candidates {
      if let found = names.first(where: { $0.lowercased() == candidate.lowercased() }) { return "\(folder)/\(found)" }
    }
    let isSame = candidates[0].lowercased() == candidates[1].lowercased()
    throw ShareEngineError(
      .appFileMissing,
      [
        "kind": kind, "reason": why, "folder": folder,
        "names": isSame ? candidates[0] : candidates.joined(separator: " or "),
      ])
  }

  private func decodeFile<Document: Decodable>(_ path: String) throws -> Document {
    let bytes = try DurableFile.read(path, limit: Self.byteLimit)
    do {
      return try JSONDecoder().decode(Document.self, from: bytes)
    } catch let error as DecodingError {
      throw makeInvalidFileError(path, Self.describeDecodingError(error))
    }
  }

  private func makeInvalidFileError(_ path: String, _ why: String) -> ShareEngineError {
    ShareEngineError(.appFileDamaged, ["file": (path as NSString).lastPathComponent, "reason": why])
  }

  private static func describeDecodingError(_ error: DecodingError) -> String {
    func keyPath(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
    return switch error {
    case .keyNotFound(let key, let context): "\"\(keyPath(context.codingPath + [key]))\" is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\"\(keyPath(context.codingPath))\" has a value of the wrong type"
    default: "the file is not JSON in the app's format"
    }
  }
}
