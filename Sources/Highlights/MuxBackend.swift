public import ClipModel
public import Foundation
public import LibCurl
import Synchronization

/// Mux without a Supabase project. Mux stores uploads and public assets, but no highlights.
///
/// An upload's `passthrough` contains the highlight ID, a space and the idempotency key. Mux has no idempotency keys
/// and would create a second upload for a repeated request, so `createUpload` searches for an existing upload first.
public final class MuxBackend: HighlightBackend {
  /// An access token for one Mux environment. Both values are secret.
  public struct AccessToken: Sendable {
    var id: String
    var secret: String

    /// Creates a token from the two values that Mux's dashboard shows.
    public init(id: String, secret: String) {
      self.id = id
      self.secret = secret
    }
  }

  private let client: MuxClient
  private let playback: PlaybackURLs
  private let videoQuality: String?
  private let now: @Sendable () -> Int64
  /// The asset IDs by upload ID. Once an upload has an asset, only this asset is polled.
  private let assets = Mutex<[String: String]>([:])

  /// Mux asks clients not to poll frequently, and processing an asset takes at least several seconds.
  public var pollingPauses: ClosedRange<Duration> { .seconds(1) ... .seconds(10) }

  /// Creates a backend that uses one Mux environment.
  /// - Parameters:
  ///   - url: the base URL of the API, such as `https://api.mux.com`.
  ///   - token: an access token with Mux Video read and write permissions.
  ///   - playback: the base URLs for Mux's videos and images.
  ///   - videoQuality: the video quality (`basic`, `plus` or `premium`); `nil` for the account's default.
  ///   - transport: the transport that sends the requests.
  ///   - policy: the retry policy for connection errors and status 408, 429 and 5xx. Other errors are final.
  ///   - clock: the clock that measures the delays.
  ///   - generator: the random number generator for the jitter of the delays.
  ///   - now: returns the current Unix time in seconds.
  public init(
    url: String, token: AccessToken, playback: PlaybackURLs, videoQuality: String? = nil, transport: any HTTPTransport,
    policy: RetryPolicy = .brief, clock: any Clock<Duration> = ContinuousClock(),
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) {
    client = MuxClient(
      url: url, token: token, transport: transport, policy: policy, clock: clock, generator: generator)
    self.playback = playback
    self.videoQuality = videoQuality
    self.now = now
  }

  public func createUpload(
    _ draft: HighlightDraft, idempotencyKey: String, timeoutSeconds: Int
  ) async throws -> UploadTicket {
    let passthrough = Passthrough(highlightID: draft.highlightID, key: idempotencyKey)
    // An earlier run may have created the upload and then crashed.
    if let ticket = try await findExistingTicket(passthrough) { return ticket }
    // Mux limits titles to 512 code points.
    let title = draft.caption.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(512))) }
    let settings = MuxClient.NewAssetSettings(passthrough: passthrough.text, videoQuality: videoQuality, title: title)
    do {
      return try await createNewUpload(settings, timeoutSeconds: timeoutSeconds)
    } catch let error as HighlightsError where error.hasUnknownOutcome {
      // The upload may exist, and may be listed a moment later.
      try await client.waitForListing()
      if let ticket = try await findExistingTicket(passthrough) { return ticket }
      return try await createNewUpload(settings, timeoutSeconds: timeoutSeconds)
    }
  }

  public func uploadState(_ uploadID: String) async throws -> UploadState {
    if let asset = assets.withLock({ $0[uploadID] }) { return makeState(uploadID, try await client.fetchAsset(asset)) }
    let upload = try await client.fetchUpload(uploadID)
    guard let assetID = upload.assetId, upload.status == "asset_created" else { return makeState(upload) }
    assets.withLock { $0[uploadID] = assetID }
    return makeState(uploadID, try await client.fetchAsset(assetID))
  }

  /// Cancels an upload that is waiting for data. Does nothing if the upload is already canceled.
  public func cancelUpload(_ uploadID: String) async throws {
    do {
      try await client.cancelUpload(uploadID)
    } catch let error as HighlightsError {
      // The response to an earlier attempt may have been lost. Completed uploads cannot be canceled.
      guard let upload = try? await client.fetchUpload(uploadID),
        ["cancelled", "timed_out", "errored"].contains(upload.status)
      else { throw error }
    }
  }

  /// Always returns `nil` because Mux stores no highlights.
  public func highlight(_ id: UUID) async throws -> Highlight? { nil }

  /// Creates a highlight from the asset's properties.
  public func highlight(of state: UploadState) async throws -> Highlight? {
    guard let id = state.assetID, let playbackID = state.playbackID else { return nil }
    let asset = try await client.fetchAsset(id)
    let created = asset.createdAt.flatMap { Double($0.text) } ?? Double(now())
    var highlight = Highlight(
      id: state.highlightID, authorID: "", muxPlaybackID: playbackID,
      createdAt: Date(timeIntervalSince1970: created).formatted(.iso8601))
    highlight.muxAssetID = id
    highlight.thumbnailURL = playback.thumbnailURL(playbackID)
    highlight.duration = asset.duration
    return highlight
  }

  public func highlightExists(_ highlight: Highlight) async throws -> Bool {
    guard let id = highlight.muxAssetID else { return false }
    return try await client.fetchExistingAsset(id) != nil
  }

  public func highlights(limit: Int, offset: Int) async throws -> [Highlight] {
    throw HighlightsError.highlightsUnsupported(operation: "list highlights")
  }

  public func deleteHighlight(_ id: UUID) async throws {
    throw HighlightsError.highlightsUnsupported(operation: "delete the highlight")
  }

  // MARK: Uploads

  private func createNewUpload(_ settings: MuxClient.NewAssetSettings, timeoutSeconds: Int) async throws -> UploadTicket
  {
    // The expiration time is computed before the request, so the URL never expires earlier than assumed.
    let expiresAt = now() + Int64(timeoutSeconds)
    return try makeTicket(await client.createUpload(settings, timeoutSeconds: timeoutSeconds), expiresAt: expiresAt)
  }

  /// Returns the waiting upload with this key, and cancels the highlight's other waiting uploads.
  /// - Throws: `HighlightsError.alreadyUploaded` if one of the highlight's uploads has become an asset.
  private func findExistingTicket(_ passthrough: Passthrough) async throws -> UploadTicket? {
    var match: MuxUpload?
    for upload in try await client.fetchRecentUploads() {
      guard let other = upload.newAssetSettings?.passthrough, passthrough.hasSameHighlight(as: other) else { continue }
      switch upload.status {
      case "waiting" where other == passthrough.text && match == nil: match = upload
      case "waiting": try? await client.cancelUpload(upload.id)
      case "asset_created":
        // A new upload is allowed only if the asset is missing or failed.
        if let id = upload.assetId, let asset = try await client.fetchExistingAsset(id), asset.status != "errored" {
          throw HighlightsError.alreadyUploaded(uploadID: upload.id)
        }
      default: break
      }
    }
    guard var match else { return nil }
    if match.url == nil { match = try await client.fetchUpload(match.id) }
    // Mux doesn't report the URL's expiration time.
    return try makeTicket(match, expiresAt: 0)
  }

  private func makeTicket(_ upload: MuxUpload, expiresAt: Int64) throws -> UploadTicket {
    guard let url = upload.url else {
      throw HighlightsError.unreadableAnswer(operation: "create the upload", reason: "the upload URL is missing")
    }
    return UploadTicket(id: upload.id, url: url, expiresAt: expiresAt)
  }

  // MARK: States

  private func makeState(_ upload: MuxUpload) -> UploadState {
    let highlight = upload.newAssetSettings?.passthrough.flatMap(Passthrough.highlightID) ?? UUID()
    let status = UploadState.Status(rawValue: upload.status) ?? .waiting
    let error = upload.error.flatMap { $0.message?.text ?? $0.type?.text }
    return UploadState(id: upload.id, status: status, highlightID: highlight, error: error)
  }

  private func makeState(_ uploadID: String, _ asset: MuxAsset) -> UploadState {
    var state = UploadState(id: uploadID, status: .assetCreated, highlightID: UUID(), assetID: asset.id)
    let reasons = asset.nonStandardInputReasons?.mapValues(\.text)
    state.nonStandardInputReasons = reasons?.isEmpty == false ? reasons : nil
    switch asset.status {
    case "ready":
      state.playbackID = asset.publicPlaybackID
      state.status = state.playbackID == nil ? .errored : .ready
      if state.playbackID == nil { state.error = "the asset has no public playback ID" }
    case "errored": (state.status, state.error) = (.errored, asset.failureReason)
    default: break
    }
    return state
  }
}

extension HighlightsError {
  /// Whether the request may have succeeded on the server despite the error.
  fileprivate var hasUnknownOutcome: Bool {
    switch self {
    case .unreachable, .unreadableAnswer: true
    default: false
    }
  }
}
