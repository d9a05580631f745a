/// What a media file is: facts read from it, no opinions. `bsc probe --json` prints it as it stands.
public struct ClipProbe: Codable, Equatable, Sendable {
  /// libav's short name of the container: `mov,mp4,m4a,3gp,3g2,mj2`.
  public var container: String
  /// The `ftyp` major brand of an ISO base media file: `isom`, `qt  `.
  public var majorBrand: String?
  /// The other brands of `ftyp`; `nil` when it was not read.
  public var compatibleBrands: [String]?
  /// Bytes of the whole file.
  public var byteCount: Int64
  /// The longest track, edit lists applied, in seconds. `nil` when the file does not state it.
  public var durationSeconds: Double?
  /// Of the whole file.
  public var bitsPerSecond: Int64?
  /// `moov` before `mdat`; `nil` for containers without them.
  public var isFastStart: Bool?
  /// The samples are in fragments (`moof`); `nil` for containers without boxes.
  public var isFragmented: Bool?
  /// In the file's order, attached pictures among them.
  public var videoTracks: [VideoTrack] = []
  /// In the file's order, those without a decoder among them.
  public var audioTracks: [AudioTrack] = []
  /// Timed metadata, time code, subtitles, chapters: everything that is neither picture nor sound.
  public var dataTracks: [DataTrack] = []
  /// Keys of the container's metadata, values left out: they may be private. Sorted.
  public var metadataKeys: [String] = []
  /// Recording date as the file gives it, ISO 8601.
  public var captureDate: String?
  /// Places in the file that can disclose where it was filmed, or that cannot be read.
  public var locationCarriers: [PrivacyCarrier] = []
  /// Places that name the camera, its parts or its owner; `nil` when not examined.
  public var deviceCarriers: [PrivacyCarrier]?
  /// Why more of them may be there: parts that cannot be read, an unknown container; `nil` when there is no
  /// such part.
  public var unauditedParts: [String]?
  /// Bytes of samples that the index promises and the file does not have; `nil` for containers without such an index.
  public var missingByteCount: Int64?
  /// Bytes inside the file in which nothing of the container can be read; `nil` for containers that are not examined.
  public var unreadableByteCount: Int64?
  /// Packets of pictures that the container flags as incomplete; `nil` for containers that are not examined.
  public var incompletePacketCount: Int?
  /// Seconds by which the last packet ends before the length that the headers claim; `nil` when they claim none.
  public var missingSeconds: Double?
  /// A track is encrypted; `nil` for containers that are not examined.
  public var isEncrypted: Bool?
  /// Sample tables that are too large, or do not fit each other; `nil` for containers without them.
  public var tableProblems: [String]?
  /// Behind the last box of an ISO base media file; `nil` when there is nothing.
  public var trailer: FileTrailer?
  /// What the reader noticed: damaged boxes, missing index, bytes missing at the end.
  public var anomalies: [String] = []

  public init(container: String, byteCount: Int64) {
    self.container = container
    self.byteCount = byteCount
  }

  /// The track that a player shows: the default one, else the first, attached pictures left aside.
  public var mainVideo: VideoTrack? {
    let real = videoTracks.filter { !$0.isAttachedPicture }
    return real.first(where: \.isDefault) ?? real.first
  }

  /// There is a picture, and something here can decode it.
  public var hasDecodablePicture: Bool { mainVideo.map { $0.codec != "none" && $0.hasDecoder != false } ?? false }

  /// How long there is something to see; the longest track where there is no picture. `nil` when the file does not state it.
  public var shownSeconds: Double? { mainVideo?.durationSeconds ?? durationSeconds }

  /// The audio track that a player plays: the default one, else the first, of those that can be decoded.
  public var mainAudio: AudioTrack? {
    let playable = audioTracks.filter(\.isDecodable)
    return playable.first(where: \.isDefault) ?? playable.first
  }
}

/// What some cameras write behind the end of the file.
public struct FileTrailer: Codable, Equatable, Sendable {
  /// `insta360`, `samsung`, or `unknown`.
  public var kind: String
  /// Bytes from the end of the last box to the end of the file.
  public var byteCount: Int64

  public init(kind: String, byteCount: Int64) {
    self.kind = kind
    self.byteCount = byteCount
  }
}
