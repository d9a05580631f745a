public import ClipModel
public import Foundation
public import LibCurl
import Synchronization

/// Mux alone, without a project that registers anything: uploads, and assets that anybody may watch.
///
/// An upload says in its `passthrough` whose it is: the highlight's id, a blank, the idempotency key. Mux has no such
/// keys: whoever creates a second time makes a second upload, so every creation looks first.
public final class MuxBackend: HighlightBackend {
  /// An access token of one environment. Both are secrets.
  public struct Token: Sendable {
    var id: String
    var secret: String

    /// Both as Mux's dashboard shows them.
    public init(id: String, secret: String) {
      self.id = id
      self.secret = secret
    }
  }

  private let client: MuxClient
  private let playback: PlaybackURLs
  private let videoQuality: String?
  private let now: @Sendable () -> Int64
  /// The asset of an upload, once it has one: then nobody asks for the upload any more.
  private let assets = Mutex<[String: String]>([:])

  /// Mux asks not to be polled often: an asset takes seconds at best.
  public var pollingPauses: ClosedRange<Duration> { .seconds(1) ... .seconds(10) }

  /// - Parameters:
  ///   - url: `https://api.mux.com`.
  ///   - token: an access token with Mux Video read and write.
  ///   - playback: where Mux's videos and pictures are.
  ///   - videoQuality: `basic`, `plus` or `premium`; `nil` for what the account has as its default.
  ///   - transport: how requests travel.
  ///   - policy: for connection errors, 408, 429 and 5xx; other answers are final.
  ///   - clock: measures the pauses.
  ///   - generator: draws the jitter of the pauses.
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
    // An earlier run may have come further than it could tell.
    if let ticket = try await found(passthrough) { return ticket }
    let settings = MuxClient.NewAsset(
      passthrough: passthrough.text, videoQuality: videoQuality, title: draft.caption.map(Self.title))
    do {
      return try await created(settings, timeoutSeconds: timeoutSeconds)
    } catch let error as HighlightsError where error.leavesInTheDark {
      // Perhaps it is there all the same, a moment later.
      try await client.pause()
      if let ticket = try await found(passthrough) { return ticket }
      return try await created(settings, timeoutSeconds: timeoutSeconds)
    }
  }

  public func uploadState(_ uploadID: String) async throws -> UploadState {
    if let asset = assets.withLock({ $0[uploadID] }) { return state(uploadID, try await client.asset(asset)) }
    let upload = try await client.upload(uploadID)
    guard let assetID = upload.assetID, upload.status == "asset_created" else { return state(upload) }
    assets.withLock { $0[uploadID] = assetID }
    return state(uploadID, try await client.asset(assetID))
  }

  /// Works while the upload is waiting; one that is cancelled already stays so.
  public func cancelUpload(_ uploadID: String) async throws {
    do {
      try await client.cancel(uploadID)
    } catch let error as HighlightsError {
      // The answer to an earlier try may have been lost; and whoever has all bytes cannot cancel.
      guard let upload = try? await client.upload(uploadID) else { throw error }
      switch upload.status {
      case "cancelled", "timed_out", "errored": return
      default: throw error
      }
    }
  }

  /// Nothing is registered, so there are no rows.
  public func highlight(_ id: UUID) async throws -> Highlight? { nil }

  /// What is there to watch: no row, but the facts that one would hold.
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
    do {
      _ = try await client.asset(id)
      return true
    } catch HighlightsError.refused(_, 404, _) {
      return false
    }
  }

  public func highlights(limit: Int, offset: Int) async throws -> [Highlight] {
    throw HighlightsError.keepsNoHighlights(operation: "list highlights")
  }

  public func deleteHighlight(_ id: UUID) async throws {
    throw HighlightsError.keepsNoHighlights(operation: "delete the highlight")
  }

  // MARK: Uploads

  private func created(_ settings: MuxClient.NewAsset, timeoutSeconds: Int) async throws -> UploadTicket {
    // Before the request: the URL ends no sooner than this says.
    let expiresAt = now() + Int64(timeoutSeconds)
    return try ticket(await client.create(settings, timeoutSeconds: timeoutSeconds), expiresAt: expiresAt)
  }

  /// The waiting upload with this key. Others of the same highlight, which nobody sends to any more, are cancelled.
  /// - Throws: `HighlightsError.alreadyUploaded` when one of the highlight's uploads has become an asset.
  private func found(_ passthrough: Passthrough) async throws -> UploadTicket? {
    var mine: MuxUpload?
    for upload in try await client.newestUploads() {
      guard let other = upload.settings?.passthrough, passthrough.isOfSameHighlight(other) else { continue }
      switch upload.status {
      case "waiting" where other == passthrough.text && mine == nil: mine = upload
      case "waiting": try? await client.cancel(upload.id)
      case "asset_created":
        if let id = upload.assetID, try await isUsable(id) {
          throw HighlightsError.alreadyUploaded(uploadID: upload.id)
        }
      default: break
      }
    }
    guard var mine else { return nil }
    if mine.url == nil { mine = try await client.upload(mine.id) }
    // When its URL ends is not told.
    return try ticket(mine, expiresAt: 0)
  }

  /// Only an asset that is surely gone or broken makes room for another upload.
  private func isUsable(_ assetID: String) async throws -> Bool {
    do {
      return try await client.asset(assetID).status != "errored"
    } catch HighlightsError.refused(_, 404, _) {
      return false
    }
  }

  private func ticket(_ upload: MuxUpload, expiresAt: Int64) throws -> UploadTicket {
    guard let url = upload.url else {
      throw HighlightsError.unreadableAnswer(operation: "create the upload", reason: "the key url is missing")
    }
    return UploadTicket(id: upload.id, url: url, expiresAt: expiresAt)
  }

  // MARK: States

  private func state(_ upload: MuxUpload) -> UploadState {
    let highlight = upload.settings?.passthrough.flatMap(Passthrough.highlightID) ?? UUID()
    // `asset_created` without the asset's id: it will be there.
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
      if state.playbackID == nil { state.error = "the asset has no public playback id" }
    case "errored": (state.status, state.error) = (.errored, asset.failure)
    default: break
    }
    return state
  }

  /// 512 code points are Mux's limit.
  private static func title(_ caption: String) -> String {
    String(String.UnicodeScalarView(caption.unicodeScalars.prefix(512)))
  }
}

extension HighlightsError {
  /// It may have been done all the same.
  fileprivate var leavesInTheDark: Bool {
    switch self {
    case .outOfReach, .unreadableAnswer: true
    default: false
    }
  }
}
