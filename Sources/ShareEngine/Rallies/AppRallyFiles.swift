import ClipModel
import DurableFiles
import Foundation

/// The app's files next to a match's metadata, which contain the saved rallies and their trims.
struct AppRallyFiles: Sendable {
  let metadataPath: String
  let videoID: UUID

  private static let byteLimit = 16 << 20

  /// The rallies that the user saved in the app (`<videoId>_selections.json`).
  /// - Parameter path: the path of the file; `nil` searches the folder of the metadata.
  /// - Throws: `ShareEngineError` when the file is missing or invalid, `DurableFileError`.
  func saved(at path: String? = nil) throws -> RallyNumbers {
    struct Document: Decodable { var saved: [Int] }
    let path = try path ?? selectionsPath()
    let document: Document = try decode(path)
    guard document.saved.allSatisfy({ $0 >= 0 }) else { throw invalid(path, "a rally number is negative") }
    return RallyNumbers(document.saved)
  }

  /// The path of the app's selections in the folder of the metadata.
  /// - Throws: `ShareEngineError` when the file is missing.
  func selectionsPath() throws -> String { try find("selections", why: "--saved requires the list of saved rallies") }

  /// The trims of each rally (`<videoId>_trims.json`).
  /// - Parameter path: as in `saved(at:)`.
  func trims(at path: String? = nil) throws -> [Int: RallyTrim] {
    struct Entry: Decodable {
      var before: Double
      var after: Double
      var rotation: Double?
      var zoom: Double?
      var panX: Double?
      var panY: Double?
    }
    let path = try path ?? find("trims", why: "--trims requires the trims of the rallies")
    let document: [String: Entry] = try decode(path)
    let trims = try document.map { key, entry in
      guard let index = Int(key), index >= 0 else { throw invalid(path, "\"\(key)\" is not a rally number") }
      guard abs(entry.before) <= 86_400, abs(entry.after) <= 86_400 else {
        throw invalid(path, "rally \(index) is trimmed by more than a day")
      }
      let changesPicture =
        entry.zoom ?? 1 != 1 || [entry.rotation, entry.panX, entry.panY].contains { $0 ?? 0 != 0 }
      return (index, RallyTrim(before: entry.before, after: entry.after, changesPicture: changesPicture))
    }
    return Dictionary(trims) { _, last in last }
  }

  /// Finds a file named after the video's ID, in uppercase or lowercase, or after the metadata file.
  private func find(_ kind: String, why: String) throws -> String {
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

  private func decode<Document: Decodable>(_ path: String) throws -> Document {
    let bytes = try DurableFile.read(path, limit: Self.byteLimit)
    do {
      return try JSONDecoder().decode(Document.self, from: bytes)
    } catch let error as DecodingError {
      throw invalid(path, Self.reason(error))
    }
  }

  private func invalid(_ path: String, _ why: String) -> ShareEngineError {
    ShareEngineError(.appFileDamaged, ["file": (path as NSString).lastPathComponent, "reason": why])
  }

  private static func reason(_ error: DecodingError) -> String {
    func path(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
    return switch error {
    case .keyNotFound(let key, let context): "\"\(path(context.codingPath + [key]))\" is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\"\(path(context.codingPath))\" has a value of the wrong type"
    default: "it is not JSON in the app's format"
    }
  }
}
