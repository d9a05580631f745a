/// The properties of a media file, without any judgment. `bsc probe --json` prints them unchanged.
public struct ClipProbe: Codable, Equatable, Sendable {
  /// The short name of the container in libav: `mov,mp4,m4a,3gp,3g2,mj2`.
  public var container: String
  /// The `ftyp` major brand of an ISO base media file: `isom`, `qt  `.
  public var majorBrand: String?
  /// The other brands of `ftyp`; `nil` if they were not read.
  public var compatibleBrands: [String]?
  /// The size of the file.
  public var byteCount: Int64
  /// The duration of the longest track in seconds, with edit lists applied. `nil` if the file does not state it.
  public var durationSeconds: Double?
  /// The bit rate of the whole file.
  public var bitsPerSecond: Int64?
  /// Whether `moov` comes before `mdat`; `nil` for containers without these boxes.
  public var isFastStart: Bool?
  /// Whether the samples are in fragments (`moof`); `nil` for containers without boxes.
  public var isFragmented: Bool?
  /// The video tracks in file order, including attached pictures.
  public var videoTracks: [VideoTrack] = []
  /// The audio tracks in file order, including those without a decoder.
  public var audioTracks: [AudioTrack] = []
  /// All other tracks in file order: timed metadata, time code, subtitles, chapters.
  public var dataTracks: [DataTrack] = []
  /// The sorted keys of the container's metadata. The values are not included because they may be private.
  public var metadataKeys: [String] = []
  /// The recording date from the file, in ISO 8601.
  public var captureDate: String?
  /// Parts of the file that may disclose the filming location, or that cannot be read.
  public var locationCarriers: [PrivacyCarrier] = []
  /// Parts that identify the camera or its owner; `nil` if they were not searched for.
  public var deviceCarriers: [PrivacyCarrier]?
  /// Why the search may have missed something: unreadable parts, an unknown container; `nil` if it was complete.
  public var unauditedParts: [String]?
  /// The number of sample bytes that the index refers to, but the file lacks; `nil` for containers without an index.
  public var missingByteCount: Int64?
  /// The number of bytes inside the file that are not valid in the container's format; `nil` if they were not examined.
  public var unreadableByteCount: Int64?
  /// The number of video packets that the container marks as incomplete; `nil` if it was not examined.
  public var incompletePacketCount: Int?
  /// How many seconds before the duration in the headers the last packet ends; `nil` if the headers contain no
  /// duration.
  public var missingSeconds: Double?
  /// Whether a track is encrypted; `nil` if the container was not examined.
  public var isEncrypted: Bool?
  /// Sample tables that are too large or inconsistent; `nil` for containers without sample tables.
  public var tableProblems: [String]?
  /// The data after the last box of an ISO base media file; `nil` if there is none.
  public var trailer: FileTrailer?
  /// Damage that the reader found: damaged boxes, a missing index, missing bytes at the end.
  public var anomalies: [String] = []

  public init(container: String, byteCount: Int64) {
    self.container = container
    self.byteCount = byteCount
  }

  /// The video track that players show: the default track, otherwise the first one. Attached pictures are ignored.
  public var mainVideo: VideoTrack? {
    let real = videoTracks.filter { !$0.isAttachedPicture }
    return real.first(where: \.isDefault) ?? real.first
  }

  /// Whether there is a video track with an available decoder.
  public var hasDecodableVideo: Bool { mainVideo.map { $0.codec != "none" && $0.hasDecoder != false } ?? false }

  /// The duration of the main video track, or of the longest track if there is no video. `nil` if the file does not
  /// state it.
  public var shownSeconds: Double? { mainVideo?.durationSeconds ?? durationSeconds }

  /// The audio track that players play: the default track, otherwise the first one that can be decoded.
  public var mainAudio: AudioTrack? {
    let playable = audioTracks.filter(\.isDecodable)
    return playable.first(where: \.isDefault) ?? playable.first
  }
}

/// Data that some cameras write after the last box.
public struct FileTrailer: Codable, Equatable, Sendable {
  /// `insta360`, `samsung` or `unknown`.
  public var kind: String
  /// The number of bytes from the end of the last box to the end of the file.
  public var byteCount: Int64

  public init(kind: String, byteCount: Int64) {
    self.kind = kind
    self.byteCount = byteCount
  }
}
