/// The properties of a media file, without any evaluation. `bsc probe --json` prints them unchanged.
public struct ClipProbe: Codable, Equatable, Sendable {
  /// The container's short name in libav: `mov,mp4,m4a,3gp,3g2,mj2`.
  public var container: String
  /// The major brand from the `ftyp` box of an ISO base media file: `isom`, `qt  `.
  public var majorBrand: String?
  /// The compatible brands from the `ftyp` box; `nil` if they were not read.
  public var compatibleBrands: [String]?
  /// The file size in bytes.
  public var byteCount: Int64
  /// The duration of the longest track in seconds, after applying edit lists; `nil` if the file doesn't specify a
  /// duration.
  public var durationSeconds: Double?
  /// The bit rate of the entire file.
  public var bitsPerSecond: Int64?
  /// Whether the `moov` box precedes the `mdat` box; `nil` for containers without these boxes.
  public var isFastStart: Bool?
  /// Whether the samples are stored in fragments (`moof`); `nil` for containers without boxes.
  public var isFragmented: Bool?
  /// The video tracks and attached pictures, in file order.
  public var videoTracks: [VideoTrack] = []
  /// The audio tracks, including those without a decoder, in file order.
  public var audioTracks: [AudioTrack] = []
  /// All other tracks in file order, such as timed metadata, time code, subtitles and chapters.
  public var dataTracks: [DataTrack] = []
  /// The container's metadata keys, sorted. Values are omitted because they may be private.
  public var metadataKeys: [String] = []
  /// The recording date in ISO 8601 format; `nil` if the file has no date.
  public var captureDate: String?
  /// The parts of the file that may reveal where it was recorded, or that cannot be parsed.
  public var locationCarriers: [PrivacyCarrier] = []
  /// The parts of the file that identify the camera or its owner; `nil` if the file was not scanned for them.
  public var deviceCarriers: [PrivacyCarrier]?
  /// The reasons why the privacy scan may be incomplete, such as unreadable parts or an unknown container; `nil` if the
  /// scan was complete.
  public var unauditedParts: [String]?
  /// The number of sample bytes that the index references but the file doesn't contain; `nil` for containers without an
  /// index.
  public var missingByteCount: Int64?
  /// The number of bytes that are invalid in the container format; `nil` if the file was not scanned for them.
  public var unreadableByteCount: Int64?
  /// The number of video packets that the container marks as incomplete; `nil` if the packets were not checked.
  public var incompletePacketCount: Int?
  /// The gap, in seconds, between the end of the last packet and the duration in the headers; `nil` if the headers
  /// don't specify a duration.
  public var missingSeconds: Double?
  /// Whether any track is encrypted; `nil` if the container was not checked for encryption.
  public var isEncrypted: Bool?
  /// Descriptions of sample tables that are too large or inconsistent; `nil` for containers without sample tables.
  public var tableProblems: [String]?
  /// The data after the last box of an ISO base media file; `nil` if there is no such data.
  public var trailer: FileTrailer?
  /// Descriptions of damage that the reader found, such as damaged boxes, a missing index, or missing bytes at the end.
  public var anomalies: [String] = []

  public init(container: String, byteCount: Int64) {
    self.container = container
    self.byteCount = byteCount
  }

  /// The video track that players show: the default track, or the first one if there is no default. Ignores attached
  /// pictures.
  public var mainVideo: VideoTrack? {
    let real = videoTracks.filter { !$0.isAttachedPicture }
    return real.first(where: \.isDefault) ?? real.first
  }

  /// Whether the main video track has an available decoder.
  public var hasDecodableVideo: Bool { mainVideo.map { $0.codec != "none" && $0.hasDecoder != false } ?? false }

  /// The duration of the main video track, or of the longest track if there is no video; `nil` if the file doesn't
  /// specify a duration.
  public var shownSeconds: Double? { mainVideo?.durationSeconds ?? durationSeconds }

  /// The audio track that players play: the default track, or the first one that can be decoded.
  public var mainAudio: AudioTrack? {
    let playable = audioTracks.filter(\.isDecodable)
    return playable.first(where: \.isDefault) ?? playable.first
  }
}

/// Data that some cameras append after the last box.
public struct FileTrailer: Codable, Equatable, Sendable {
  /// The type of data: `insta360`, `samsung` or `unknown`.
  public var kind: String
  /// The number of bytes between the last box and the end of the file.
  public var byteCount: Int64

  public init(kind: String, byteCount: Int64) {
    self.kind = kind
    self.byteCount = byteCount
  }
}
