import ArgumentParser
import ClipModel
import Foundation
import ShareEngine
import Social

extension SocialCommands {
  struct Notifications: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "notifications", abstract: "List notifications, newest first, or mark them as read",
      subcommands: [List.self, Read.self],
      defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "list", abstract: "List the newest notifications")

      @Flag(help: "Only notifications that are not marked as read.") var unread = false
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let documents = try await SocialCommands.withSession(output) { session in
          let groups = try await session.client.notifications(before: nil).filter { !unread || !$0.isRead }
          let ids = Set(groups.flatMap(\.actorIDs)).sorted { $0.uuidString < $1.uuidString }
          let people = try await session.client.profiles(ids)
          let names = Dictionary(people.map { ($0.id, $0.username) }) { first, _ in first }
          return groups.map { group in
            NotificationDocument(notification: group, actors: group.actorIDs.compactMap { names[$0] })
          }
        }
        output.writeList(documents, none: "No notifications.") { ($0, SocialText.line($0)) }
      }
    }

    struct Read: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "read", abstract: "Mark all notifications as read")

      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let account = try await SocialCommands.withSession(output) { session in
          try await session.client.markNotificationsRead(until: nil)
          return try await session.account
        }
        output.writeOutcome(.performed, ActionDocument(.readNotifications, id: account))
      }
    }
  }
}
