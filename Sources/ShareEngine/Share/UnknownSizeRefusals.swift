import ClipModel
import DurableFiles
import Foundation

/// The hosts that rejected a clip while its size was unknown, and accepted it with its size. Their clips are uploaded after
/// the encode.
package struct UnknownSizeRefusals: Sendable {
  let places: ApplicationFolders
  /// The backend's host.
  let host: String

  /// The time in seconds after which a host is tried again, because it can change: 30 days.
  private static let lifetime: Int64 = 30 * 86_400

  package init(places: ApplicationFolders, host: String) {
    (self.places, self.host) = (places, host)
  }

  private var path: String { "\(places.stateFolder)/unknown-size-refusals.json" }

  /// The Unix times of the refusals, by host.
  private var times: [String: Int64] {
    let data = try? DurableFile.readIfPresent(path, limit: 1 << 16)
    return data.flatMap { try? JSONDecoder().decode([String: Int64].self, from: $0) } ?? [:]
  }

  /// Whether the host rejected an upload less than 30 days before `now`, in Unix seconds. Blocks briefly.
  package func isRefused(now: Int64 = SharePipeline.currentTimestamp()) -> Bool {
    times[host].map { now - $0 < Self.lifetime } ?? false
  }

  /// Returns the conditions of an upload to the host.
  func uploadConditions(_ streaming: UploadStreaming, isPost: Bool) async throws -> UploadConditions {
    let requiresSize = try await WorkerThread.run("bsc refusals") { _ in isRefused() }
    return UploadConditions(
      streaming, host: host, isLocal: host == BackendKind.local.rawValue, requiresSize: requiresSize, isPost: isPost)
  }

  /// Records a refusal. If that fails, the next clip is rejected again, which costs one request. Blocks briefly.
  package func record(now: Int64 = SharePipeline.currentTimestamp()) {
    let recent = times.filter { now - $0.value < Self.lifetime }
    guard let data = try? JSONEncoder().encode(recent.merging([host: now]) { $1 }) else { return }
    try? DurableFile.write(data, to: path, permissions: 0o600)
  }
}
