import ClipModel
import ISOMedia
import LocationFormats

/// Something private in an MP4 or MOV, with the way to remove it.
struct MovieFinding: Equatable, Sendable {
  enum Remedy: Equatable, Sendable {
    /// The box goes, header and all.
    case removeBox(Int64)
    /// Bytes outside of samples, in what has to stay, become zeros.
    case blank([Range<Int64>])
    /// The named item of a `meta` box goes, with its key.
    case removeItem(meta: Box, item: Int64)
    /// The track goes; a GoPro track can give up its GPS streams only (`keepsMotion`).
    case removeTrack(UInt32, hasMotion: Bool)
    /// Messages in what the decoder needs to know (`hvcC`, `av1C`) go.
    case cleanConfiguration(Box)
    /// Bytes inside samples go.
    case cut([MovieEdits.Cut])
    /// Goes by itself, whenever the file is written anew: free space, bytes that no sample refers to.
    case rewrite
    /// What is behind the last box goes.
    case removeTrailer
    /// It cannot be taken out: the reason.
    case none(String)
  }

  var found: FoundCarrier
  var remedy: Remedy
  /// Make and model, which `StripOptions.keepsModel` leaves in place.
  var isModel = false
}

extension PrivacyCarrier.Disclosure {
  /// `nil` for what tells nothing that has to be reported.
  init?(_ finding: PayloadFinding) {
    switch finding.disclosure {
    case .location: self = .location
    case .opaque: self = .opaque
    case .identity: self = finding.kind == "apple-mebx-faces" ? .faces : .identity
    case .date: self = .date
    case .motion, .harmless: return nil
    }
  }
}
