#if Recruiting
import ClipModel
import Foundation
import Hummingbird
import Recruiting

/// The pictures on the page of an interaction, and the forms that attach and remove them.
struct InteractionFiles: Sendable {
  let site: RecruitingSite

  func add(to router: Router<BackendContext>) {
    router.get("interactions/:id/files/:name") { request, context in
      let visitor = try await site.server.site.visitor(of: request)
      guard
        let file = Attachment(
          interaction: try context.parameters.require("id"), name: try context.parameters.require("name"))
      else { throw PageFailure.notFound }
      do { return try await AttachmentRoutes.response(file, for: visitor.caller, site.server) } catch StorageError
        .notFound
      {
        throw PageFailure.notFound
      }
    }
    router.post("interactions/:id/files") { request, context in
      let id = try context.parameters.require("id")
      let (visitor, fields, bytes) = try await site.server.site.fileForm(request, context)
      guard let member = try await site.member(visitor, fields["family"], request) else { throw PageFailure.notFound }
      let row: FamilyInteraction = try await member.rows.row("interactions", id)
      do {
        try await change(row.interaction, fields, bytes ?? [], member)
      } catch let error as StorageError {
        return try await InteractionPages(site: site).detail(row.interaction, member, notice: Self.notice(error))
      }
      return PageSite.redirect(to: "/interactions/\(row.interaction.id)#files")
    }
  }

  /// Removes the file in the field `remove`, or else attaches the one in the form.
  private func change(
    _ entry: Interaction, _ fields: [String: String], _ bytes: [UInt8], _ member: FamilyVisitor
  ) async throws {
    let (store, caller) = (site.server.attachments, member.visitor.caller)
    if let name = fields["remove"] {
      guard let file = Attachment(interaction: entry.id, name: name) else { throw PageFailure.notFound }
      try await store.delete(file, for: caller, isUnlisted: true)
      return
    }
    let picture = try AvatarStore.picture(bytes, type: nil, limit: AttachmentStore.byteLimit)
    let name = "\(UUID().uuidString.prefix(8).lowercased()).\(picture.format.fileExtension)"
    guard let file = Attachment(interaction: entry.id, name: name) else { throw PageFailure.notFound }
    try await store.store(picture, as: file, for: caller, replaces: false, isListed: true)
  }

  private static func notice(_ error: StorageError) -> String {
    switch error {
    case .tooLarge: "A picture can have at most 4 MiB."
    case .ruleViolated: "Only the athlete who logged the interaction can attach pictures, at most 20."
    default: "The attachment must be a JPEG, PNG or WebP picture."
    }
  }

  /// The template values of an attachment: a stored picture, the address of a website, or another text.
  static func values(of text: String, in entry: Interaction) -> [String: Any] {
    if let file = Attachment(listed: text), file.interaction == entry.id {
      return ["label": file.name, "picture": "/interactions/\(entry.id)/files/\(file.name)"]
    }
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil else {
      return ["label": text]
    }
    return ["label": url.lastPathComponent.isEmpty ? text : url.lastPathComponent, "address": url.absoluteString]
  }
}
#endif
