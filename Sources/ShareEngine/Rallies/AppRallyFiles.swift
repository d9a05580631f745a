package import ClipModel
import DurableFiles
package import Foundation

/// What the app keeps beside a match's metadata: which rallies were saved, and how they were trimmed.
package struct AppRallyFiles: Sendable {
  /// Of the metadata.
  private let metadataPath: String
  private let videoID: UUID

  private static let byteLimit = 16 << 20

  package init(metadataPath: String, videoID: UUID) {
    self.metadataPath = metadataPath
    self.videoID = videoID
  }

  /// The rallies that somebody saved (`<videoId>_selections.json`).
  /// - Parameter path: where it is; `nil` looks beside the metadata.
  /// - Throws: `ShareEngineError` when there is none, or when it cannot be understood, `DurableFileError`.
  package func saved(at path: String? = nil) throws -> RallyNumbers {
    struct Document: Decodable { var saved: [Int] }
    let path = try path ?? selectionsPath()
    let document: Document = try decode(path)
    guard document.saved.allSatisfy({ $0 >= 0 }) else { throw damaged(path, "a rally has a number below 0") }
    return RallyNumbers(document.saved)
  }

  /// Where the app's selections are, beside the metadata.
  /// - Throws: `ShareEngineError` when they are not.
  package func selectionsPath() throws -> String {
    try find("selections", wanted: "--saved needs to know which rallies were saved")
  }

  /// Trims by rally (`<videoId>_trims.json`).
  /// - Parameter path: as in `saved(at:)`.
  package func trims(at path: String? = nil) throws -> [Int: RallyTrim] {
    struct Entry: Decodable {
      var before: Double
      var after: Double
      var rotation: Double?
      var zoom: Double?
      var panX: Double?
      var panY: Double?
    }
    let path = try path ?? find("trims", wanted: "--trims needs to know how rallies were trimmed")
    let document: [String: Entry] = try decode(path)
    var trims: [Int: RallyTrim] = [:]
    for (key, entry) in document {
      guard let index = Int(key), index >= 0 else { throw damaged(path, "\"\(key)\" is not the number of a rally") }
      guard abs(entry.before) <= 86_400, abs(entry.after) <= 86_400 else {
        throw damaged(path, "rally \(index) is trimmed by more than a day")
      }
      trims[index] = RallyTrim(
        before: entry.before, after: entry.after,
        changesPicture: entry.rotation ?? 0 != 0 || entry.zoom ?? 1 != 1 || entry.panX ?? 0 != 0
          || entry.panY ?? 0 != 0)
    }
    return trims
  }

  /// Named after the video, in either case, or after the metadata file.
  private func find(_ kind: String, wanted why: String) throws -> String {
    let folder = (metadataPath as NSString).deletingLastPathComponent
    let stem = ((metadataPath as NSString).lastPathComponent as NSString).deletingPathExtension
    let wanted = ["\(videoID.uuidString)_\(kind).json", "\(stem)_\(kind).json"]
    let names = try Folder.names(in: folder.isEmpty ? "." : folder)
    for name in wanted {
      if let found = names.first(where: { $0.lowercased() == name.lowercased() }) { return "\(folder)/\(found)" }
    }
    let places = wanted[0].lowercased() == wanted[1].lowercased() ? wanted[0] : wanted.joined(separator: " or ")
    throw ShareEngineError(.appFileMissing, ["kind": kind, "reason": why, "names": places, "folder": folder])
  }

  private func decode<Document: Decodable>(_ path: String) throws -> Document {
    let bytes = try DurableFile.read(path, limit: Self.byteLimit)
    do {
      return try JSONDecoder().decode(Document.self, from: bytes)
    } catch let error as DecodingError {
      throw damaged(path, Self.reason(error))
    }
  }

  private func damaged(_ path: String, _ why: String) -> ShareEngineError {
    ShareEngineError(.appFileDamaged, ["file": (path as NSString).lastPathComponent, "reason": why])
  }

  private static func reason(_ error: DecodingError) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    return switch error {
    case .keyNotFound(let key, let context):
      "\"\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))\" is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\"\(place(context))\" has a value of another type"
    default: "it is not JSON as the app writes it"
    }
  }
}
