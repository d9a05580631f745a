public import ClipModel
public import Foundation
import RowRequests

extension SocialAPI {
  public func playback(of highlights: [UUID]) async throws -> [HighlightPlayback] {
    let body = try RowRequest.encodeJSON(["highlight_ids": highlights.map(\.rowText)])
    let request = RowRequest(
      operation: "read the videos' addresses", service: .functions, method: .post, path: "playback", body: body)
    let response: PlaybackResponse = try await sendAndDecode(request)
    return response.highlights
  }

  public func recordView(of highlight: UUID, seconds: Double) async throws {
    try await send(
      .call("count the view", "record_view", ["highlight": .id(highlight), "watched": .decimal(seconds)]))
  }

  // MARK: Devices

  public func registerDevice(_ token: Data, isSandbox: Bool) async throws {
    try await send(
      .call(
        "register the device", "register_device",
        ["token": .text(Self.text(token)), "environment": .text(isSandbox ? "sandbox" : "production")]))
  }

  public func removeDevice(_ token: Data) async throws {
    try await delete("remove the device", from: "device_tokens", where: [("token", "eq.\(Self.text(token))")])
  }

  /// The token in lowercase hexadecimal digits.
  private static func text(_ token: Data) -> String {
    token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
