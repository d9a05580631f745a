import Foundation
import GRDB
import Hummingbird

/// The form for the visitor's picture on `/settings`. With scripts, the browser crops the picture first.
struct AvatarPages: Sendable {
  let server: ServerDependencies
  let settings: SettingsPages

  func add(to router: Router<BackendContext>) {
    router.post("settings/avatar") { request, context in
      let (visitor, fields, file) = try await server.site.fileForm(request, context)
      let user = try visitor.user()
      if fields["remove"] != nil {
        try await setAvatar(nil, of: user, visitor.caller)
        _ = try await server.avatars.delete([AvatarFile(ofAccount: user)])
        return PageSite.redirect(to: "/settings")
      }
      do {
        let picture = try AvatarStore.picture(file ?? [], type: nil)
        let stored = AvatarFile(ofAccount: user)
        let version = try await server.avatars.store(picture, as: stored, .insertOrReplace)
        // The version makes browsers load the new picture.
        let address = "\(request.requestedBaseURL)\(stored.publicPath)?v=\(version.prefix(8))"
        try await setAvatar(address, of: user, visitor.caller)
      } catch let error as StorageError {
        return try await settings.page(request, visitor, notice: Self.notice(error))
      }
      return PageSite.redirect(to: "/settings")
    }
  }

  private static func notice(_ error: StorageError) -> String {
    switch error {
    case .tooLarge: "A picture can have at most 1 MiB."
    case .ruleViolated: "The account has too many pictures."
    default: "The picture must be a JPEG, PNG or WebP file."
    }
  }

  private func setAvatar(_ address: String?, of user: String, _ caller: Caller) async throws {
    var command = RowCommand(table: try server.rows.table("profiles"), caller: caller)
    command.query.filters = [.equals("id", user)]
    _ = try await server.rows.update(["avatar_url": address?.databaseValue ?? .null], command)
  }
}

extension Person {
  /// The path of the person's picture if it is on this server. Pages load nothing from other servers.
  var picture: String? {
    guard let match = avatarUrl?.firstMatch(of: /\/storage\/v1\/object\/public\/avatars\/([^?#]+)(\?v=[A-Za-z0-9]+)?$/),
      let file = AvatarFile(String(match.output.1))
    else { return nil }
    return file.publicPath + (match.output.2 ?? "")
  }
}
