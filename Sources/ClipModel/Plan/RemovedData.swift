internal import Foundation

/// A kind of data that processing removes from a clip.
public enum RemovedData: String, Codable, Sendable, CaseIterable {
  /// Location data in one place: a box, or a track.
  case location
  /// The make or model of the camera.
  case cameraModel = "camera-model"
  /// The recording date.
  case recordingDate = "recording-date"
  /// The person who recorded the clip.
  case author
  /// Container metadata of other kinds.
  case metadata
  /// A track without known location data.
  case track

  /// Returns what the values of a container's metadata keys disclose.
  static func classify(metadataKeys keys: [String]) -> [RemovedData] {
    func contains(_ words: String...) -> Bool {
      keys.contains { key in words.contains { key.lowercased().contains($0) } }
    }
    var kinds: [RemovedData] = []
    if contains("make", "model") { kinds.append(.cameraModel) }
    if contains("date") { kinds.append(.recordingDate) }
    if contains("artist", "author") { kinds.append(.author) }
    return kinds.isEmpty ? [.metadata] : kinds
  }
}
