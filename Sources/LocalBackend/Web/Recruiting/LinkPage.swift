#if Recruiting
import Foundation
import GRDB
import Hummingbird
import Recruiting

/// The page `/s/{token}`: one highlight for a person without an account. It sets no cookie and is not indexed.
struct LinkPage: Sendable {
  let server: ServerDependencies

  func add(to router: Router<BackendContext>) {
    router.get("s/:token") { request, context in
      try await page(try context.parameters.require("token"), request)
    }
  }

  private func page(_ token: String, _ request: Request) async throws -> Response {
    let viewer = try await server.site.visitor(of: request).caller.userID
    do {
      let (isCounted, now) = (Self.isPerson(request), server.now)
      let link = try await server.store.database.write { db in
        try OpenedLink.open(token, viewer: viewer.databaseValue, isCounted: isCounted, in: db, now: now)
      }
      return respond(try await values(of: link, request), .ok)
    } catch let failure as PostgRESTFailure where ["PT404", "PT410"].contains(failure.code) {
      return gone(failure.status)
    }
  }

  private func values(of link: OpenedLink, _ request: Request) async throws -> [String: Any?] {
    let clips = (link.clips ?? []).map(\.playbackID)
    let end = Int64(server.now.timeIntervalSince1970) + PlaybackTokens.lifetimeSeconds
    var videos: [[String: Any]] = []
    for (index, clip) in clips.enumerated() {
      let file = try await server.playback.sign(.init(playbackID: clip, use: .file, expiresAt: end))
      let poster = try await server.playback.sign(
        .init(playbackID: clip, use: .thumbnail, expiresAt: end, parameters: ["time": "2"]))
      videos.append([
        "source": "/stream/\(clip).mp4?token=\(file)", "poster": "/image/\(clip)/thumbnail.jpg?token=\(poster)",
        "label": clips.count > 1 ? "Clip \(index + 1) of \(clips.count)" : "Clip",
      ])
    }
    let caption = (link.caption ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    let (zone, name) = RecruitingSite.zone(of: request)
    return [
      "title": "Highlight of \(link.displayName)", "description": caption.isEmpty ? nil : caption, "clips": videos,
      "elsewhere": videos.isEmpty ? Self.otherServer(link) : nil, "personName": link.displayName,
      "team": link.teamName.flatMap { $0.isEmpty ? nil : $0 }, "caption": caption.isEmpty ? nil : caption,
      "expires": RecruitingDate.parse(link.expiresAt).map { "\(zone.label($0)) (\(name))" },
    ]
  }

  /// The address of a video that this server doesn't have.
  private static func otherServer(_ link: OpenedLink) -> String? {
    ((link.videoURLs ?? []) + [link.muxPlaybackID].compactMap(\.self)).first {
      URL(string: $0).map { ["http", "https"].contains($0.scheme?.lowercased()) && $0.host() != nil } ?? false
    }
  }

  private func gone(_ status: HTTPResponse.Status) -> Response {
    let isKnown = status == .gone
    return respond(
      [
        "isGone": true, "title": isKnown ? "This link has ended" : "This link does not exist",
        "text": isKnown
          ? "It has expired, or the athlete revoked it. Ask the athlete for a new one."
          : "Check the address, or ask the athlete for a new link.",
      ], status)
  }

  private func respond(_ values: [String: Any?], _ status: HTTPResponse.Status) -> Response {
    var response = PageSite.html(server.site.library.text("link", values), status: status)
    response.headers.set("x-robots-tag", to: "noindex, nofollow, noarchive")
    // The address is a secret.
    response.headers.set("referrer-policy", to: "no-referrer")
    return response
  }

  /// Programs that load a link before a person opens it: previews of messengers, search engines and prefetching.
  private static let programs = ["bot", "crawl", "spider", "preview", "facebookexternalhit", "whatsapp"]

  private static func isPerson(_ request: Request) -> Bool {
    // CUBOT is a brand of phones.
    let agent = (request.headers[.userAgent] ?? "").lowercased().replacing("cubot", with: "")
    let purpose = request.headers.value(of: "sec-purpose") ?? request.headers.value(of: "purpose") ?? ""
    return request.method == .get && !purpose.contains("prefetch") && !programs.contains(where: agent.contains)
  }
}
#endif
