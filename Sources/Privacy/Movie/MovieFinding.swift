import ClipModel
import ISOMedia
import LocationFormats

/// Private metadata in an MP4 or MOV file, and the way to remove it.
struct MovieFinding: Equatable, Sendable {
  enum Removal: Equatable, Sendable {
    /// Remove the box at this file offset.
    case removeBox(Int64)
    /// Overwrite bytes outside samples with zeros, in boxes that must be kept.
    case blank([Range<Int64>])
    /// Remove an item from a `meta` box, along with its key.
    case removeItem(meta: Box, item: Int64)
    /// Remove the track. For a GoPro track, it may be enough to remove the GPS streams (`keepsMotion`).
    case removeTrack(UInt32, hasMotion: Bool)
    /// Remove messages from the decoder configuration (`hvcC`, `av1C`).
    case cleanConfiguration(Box, DecoderConfiguration)
    /// Remove or replace bytes in samples.
    case cut([MovieEdits.Cut])
    /// The finding is in free space or unreferenced bytes, which every rewrite of the file removes.
    case rewrite
    /// Remove the bytes after the last box.
    case removeTrailer
    /// The finding cannot be removed, for the given reason.
    case none(String)
  }

  var found: FoundCarrier
  var removal: Removal
  /// Whether the finding is the camera make or model, which `StripOptions.keepsModel` keeps.
  var isModel = false
}
