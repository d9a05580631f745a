public import ClipModel
public import Foundation
public import LibCurl
import Synchronization

/// Mux without a Supabase project: it has uploads and public assets, but no highlights.
///
/// An upload's `passthrough` contains the highlight's ID, a space and the idempotency key. Mux has no idempotency keys
/// and would create a second upload for a repeated request, so `createUpload` searches for an existing one first.
public final class MuxBackend: HighlightBackend {
  /// An access token for one environment. Both parts are secret.
  public struct Token: Sendable {
    var id: String
    var secret: String

    /// Both values as shown in Mux's dashboard.
    public init(id: String, secret: String) {
      self.id = id
      self.secret = secret
    }
  }

  private let client: MuxClient
  private let playback: PlaybackURLs
  private let videoQuality: String?
  private let now: @Sendable () -> Int64
  /// Asset IDs by upload ID. Once an upload has an asset, only the asset is polled.
  private let assets = Mutex<[String: String]>([:])

  /// Mux asks clients not to poll often, and an asset takes at least several seconds.
  public var pollingPauses: ClosedRange<Duration> { .seconds(1) ... .seconds(10) }

  /// - Parameters:
  ///   - url: `https://api.mux.com`.
  ///   - token: an access token with Mux Video read and write permissions.
  ///   - playback: the base URLs of Mux's videos and images.
  ///   - videoQuality: `basic`, `plus` or `premium`; `nil` for the account's default.
  ///   - transport: sends the requests.
  ///   - policy: applies to connection errors, 408, 429 and 5xx. Other errors are final.
  ///   - clock: measures the pauses.
  ///   - generator: produces the jitter of the pauses.
  ///   - now: Unix seconds.
  public init(
    url: String, token: Token, playback: PlaybackURLs, videoQuality: String? = nil, transport: any HTTPTransport,
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
    if let ticket = try await existingTicket(passthrough) { return ticket }
    // Mux accepts titles of up to 512 code points.
    let title = draft.caption.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(512))) }
    let settings = MuxClient.NewAsset(passthrough: passthrough.text, videoQuality: videoQuality, title: title)
    do {
      return try await create(settings, timeoutSeconds: timeoutSeconds)
    } catch let error as HighlightsError where error.hasUnknownOutcome {
      // The upload may exist and be listed a moment later.
      try await client.pause()
      if let ticket = try await existingTicket(passthrough) { return ticket }
      return try await create(settings, timeoutSeconds: timeoutSeconds)
    }
  }

  public func uploadState(_ uploadID: String) async throws -> UploadState {
    if let asset = assets.withLock({ $0[uploadID] }) { return state(uploadID, try await client.asset(asset)) }
    let upload = try await client.upload(uploadID)
    guard let assetID = upload.assetId, upload.status == "asset_created" else { return state(upload) }
    assets.withLock { $0[uploadID] = assetID }
    return state(uploadID, try await client.asset(assetID))
  }

  /// Cancels an upload that waits for data. Does nothing if it is already canceled.
  public func cancelUpload(_ uploadID: String) async throws {
    do {
      try await client.cancel(uploadID)
    } catch let error as HighlightsError {
      // The response to an earlier attempt may have been lost. A complete upload cannot be canceled.
      guard let upload = try? await client.upload(uploadID),
        ["cancelled", "timed_out", "errored"].contains(upload.status)
      else { throw error }
    }
  }

  /// Always `nil`: Mux stores no highlights.
  public func highlight(_ id: UUID) async throws -> Highlight? { nil }

  /// A highlight made from the asset's properties.
  public func highlight(of state: UploadState) async throws -> Highlight? {
    guard let id = state.assetID, let playbackID = state.playbackID else { return nil }
    let asset = try await client.asset(id)
    let created = asset.createdAt.flatMap { Double($0.text) } ?? Double(now())
    var highlight = Highlight(
      id: state.highlightID, authorID: "", muxPlaybackID: playbackID,
      createdAt: Date(timeIntervalSince1970: created).formatted(.iso8601))
    highlight.muxAssetID = id
    highlight.thumbnailURL = playback.thumbnail(playbackID)
    highlight.duration = asset.duration
    return highlight
  }

  public func exists(_ highlight: Highlight) async throws -> Bool {
    guard let id = highlight.muxAssetID else { return false }
    return try await client.existingAsset(id) != nil
  }

  public func highlights(limit: Int, offset: Int) async throws -> [Highlight] {
    throw HighlightsError.highlightsUnsupported(operation: "list highlights")
  }

  public func deleteHighlight(_ id: UUID) async throws {
    throw HighlightsError.highlightsUnsupported(operation: "delete the highlight")
  }

  // MARK: Uploads

  private func create(_ settings: MuxClient.NewAsset, timeoutSeconds: Int) async throws -> UploadTicket {
    // Computed before the request, so that the URL doesn't expire earlier.
    let expiresAt = now() + Int64(timeoutSeconds)
    return try ticket(await client.create(settings, timeoutSeconds: timeoutSeconds), expiresAt: expiresAt)
  }

  /// The waiting upload with this key. Cancels other waiting uploads of the same highlight.
  /// - Throws: `HighlightsError.alreadyUploaded` if one of the highlight's uploads has become an asset.
  private func existingTicket(_ passthrough: Passthrough) async throws -> UploadTicket? {
    var match: MuxUpload?
    for upload in try await client.newestUploads() {
      guard let other = upload.newAssetSettings?.passthrough, passthrough.isOfSameHighlight(other) else { continue }
      switch upload.status {
      case "waiting" where other == passthrough.text && match == nil: match = upload
      case "waiting": try? await client.cancel(upload.id)
      case "asset_created":
        // Only an asset that is missing or failed allows another upload.
        if let id = upload.assetId, let asset = try await client.existingAsset(id), asset.status != "errored" {
          throw HighlightsError.alreadyUploaded(uploadID: upload.id)
        }
      default: break
      }
    }
    guard var match else { return nil }
    if match.url == nil { match = try await client.upload(match.id) }
    // Mux doesn't report when the URL expires.
    return try ticket(match, expiresAt: 0)
  }

  private func ticket(_ upload: MuxUpload, expiresAt: Int64) throws -> UploadTicket {
    guard let url = upload.url else {
      throw HighlightsError.unreadableAnswer(operation: "create the upload", reason: "the key url is missing")
    }
    return UploadTicket(id: upload.id, url: url, expiresAt: expiresAt)
  }

  // MARK: States

  private func state(_ upload: MuxUpload) -> UploadState {
    let highlight = upload.newAssetSettings?.passthrough.flatMap(Passthrough.highlightID) ?? UUID()
    let status = UploadState.Status(rawValue: upload.status) ?? .waiting
    let error = upload.error.flatMap { $0.message?.text ?? $0.type?.text }
    return UploadState(id: upload.id, status: status, highlightID: highlight, error: error)
  }

  private func state(_ uploadID: String, _ asset: MuxAsset) -> UploadState {
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
  /// Whether the request may have succeeded on the server.
  fileprivate var hasUnknownOutcome: Bool {
    switch self {
    case .unreachable, .unreadableAnswer: true
    default: false
    }
  }
}
