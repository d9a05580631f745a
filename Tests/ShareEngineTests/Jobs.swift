import Foundation
import ShareEngine
public import Testing

@testable public import ClipModel

/// Jobs for tests.
enum Jobs {
  static let probe = {
    var probe = ClipProbe(container: "mov,mp4,m4a,3gp,3g2,mj2", byteCount: 9_000_000)
    probe.durationSeconds = 12.5
    var video = VideoTrack(index: 0, codec: "h264", width: 3840, height: 2160)
    video.averageFrameRate = Rational(30000, 1001)
    video.durationSeconds = 12.5
    probe.videoTracks = [video]
    probe.locationCarriers = [PrivacyCarrier(kind: "quicktime-xyz", place: "moov/udta/©xyz", byteRange: 40..<80)]
    return probe
  }()

  static let plan = ProcessingPlan(
    trim: 1.5..<9,
    video: .transcode(trackIndex: 0, steps: [.scale(width: 1920, height: 1080)], encoding: VideoEncoding()),
    audio: .copy(trackIndex: 1), pictures: [.poster(PosterPlan(atSeconds: 2))], durationSeconds: 7.5,
    estimatedByteCount: 5_000_000)

  static let clip = ProcessedClip(
    path: "/state/jobs/1/clip.mp4", byteCount: 4_194_304, sha256: String(repeating: "ab", count: 32), probe: probe,
    pictures: [
      RenderedPicture(
        kind: .poster, path: "/state/jobs/1/clip-poster.jpg", width: 1280, height: 720, byteCount: 99_000, seconds: [2])
    ],
    removed: ["moov/udta/©xyz"])

  static let session = UploadSession(
    uploadID: "upload-1", byteCount: 4_194_304, confirmedOffset: 262_144, expiresAt: 1_900_000_000)

  static let receipt = UploadReceipt(
    uploadID: "upload-1", byteCount: 4_194_304, requestCount: 2, sentByteCount: 4_200_000)

  static let highlight = {
    var row = Highlight(id: UUID(), authorID: "local", muxPlaybackID: "play", createdAt: "2026-01-02T03:04:05Z")
    row.caption = "Match point #spike 🏐"
    row.tags = ["spike"]
    return row
  }()

  /// One stage of each case, in the order of the flow.
  static let stages: [ShareStage] = [
    .queued, .probed(probe), .planned(plan, probe), .processed(clip), .uploading(clip, session),
    .uploaded(clip, receipt),
    .registered(highlight, clip), .rejected([Finding(rule: "clip.duration", severity: .error, message: "too short")]),
    .cancelled,
  ]

  static func job(
    _ stage: ShareStage = .queued, digest: String = String(repeating: "0", count: 64), backend: String = "local",
    createdAt: Int64 = 1_800_000_000
  ) -> ShareJob {
    var job = ShareJob(
      id: UUID(), source: SourceFile(path: "/clips/rally.mp4", byteCount: 9_000_000, sha256: digest),
      request: ShareRequest(
        caption: "Match point #spike 🏐", privacy: .followersOnly,
        metadata: MetadataRequest(path: "/clips/rally.json", mode: .source, rallyIndex: 3)),
      highlightID: UUID(), backend: backend, createdAt: createdAt)
    job.rally = SharedRally(
      videoID: UUID(), index: 3, confidence: 0.9, quality: 0.8, detectionCount: 120, cut: 1.5..<9)
    job.attempt = 2
    job.stage = stage
    return job
  }
}

/// Shows only the name of the stage in failures.
extension ShareStage: CustomTestStringConvertible {
  public var testDescription: String { name }
}
