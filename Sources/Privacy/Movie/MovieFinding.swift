import ClipModel
import ISOMedia
import LocationFormats

/// Private metadata in an MP4 or MOV file, and how to remove it.
struct MovieFinding: Equatable, Sendable {
  enum Removal: Equatable, Sendable {
    /// Remove the box at this offset.
    case removeBox(Int64)
    /// Overwrite bytes outside of samples with zeros, in boxes that must be kept.
    case blank([Range<Int64>])
    /// Remove the named item of a `meta` box, with its key.
    case removeItem(meta: Box, item: Int64)
    /// Remove the track, or only the GPS streams of a GoPro track (`keepsMotion`).
    case removeTrack(UInt32, hasMotion: Bool)
    /// Remove messages from the decoder configuration (`hvcC`, `av1C`).
    case cleanConfiguration(Box, DecoderConfiguration)
    /// Cut bytes out of samples.
    case cut([MovieEdits.Cut])
    /// Every rewrite of the file removes the finding, because it is in free space or unreferenced bytes.
    case rewrite
    /// Remove the bytes after the last box.
    case removeTrailer
    /// The finding cannot be removed, for this reason.
    case none(String)
  }

  var found: FoundCarrier
  var removal: Removal
  /// Whether the finding is the make or model, which `StripOptions.keepsModel` keeps.
  var isModel = false
}
