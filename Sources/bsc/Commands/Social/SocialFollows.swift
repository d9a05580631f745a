import ArgumentParser
import ClipModel
import Foundation
import ShareEngine
import Social

extension SocialCommands {
  struct Follow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "follow", abstract: "Follow a person, or ask to follow if the profile isn't public")

    @OptionGroup var argument: PersonArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws { try await SocialCommands.setFollow(argument.person, true, output) }
  }

  struct Unfollow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unfollow", abstract: "Stop following a person, or withdraw your request to follow")

    @OptionGroup var argument: PersonArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws { try await SocialCommands.setFollow(argument.person, false, output) }
  }

  private static func setFollow(_ person: String, _ isFollowing: Bool, _ output: OutputOptions) async throws {
    try await withSession(output) { session in
      let id = try await session.personID(person)
      let outcome = try await session.perform(.setFollow(profile: id, isFollowing: isFollowing))
      var document = ActionDocument(isFollowing ? .follow : .unfollow, id: id)
      // The action is done, also if the relation can't be read.
      if outcome == .performed { document.relation = try? await session.client.followState(of: id) }
      output.writeOutcome(outcome, document)
    }
  }

  struct Requests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "requests", abstract: "List the people who ask to follow you, newest first")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let requests = try await SocialCommands.withSession(output) { try await $0.client.followRequests() }
      output.writeList(requests, none: "No requests.") { request in
        let (id, person) = (request.requesterID, request.requester)
        return (RowDocument("request", request), SocialText.person(id, person?.username, person?.displayName))
      }
    }
  }

  // MARK: Blocks and mutes

  struct Unblock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unblock", abstract: "Unblock a person")

    @OptionGroup var argument: PersonArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SocialCommands.withSession(output) { session in
        // Blocked people are invisible, so only the list contains their names.
        let name = argument.person.hasPrefix("@") ? String(argument.person.dropFirst()) : argument.person
        let blocked = try await session.client.blockedPeople()
        let known = blocked.first { $0.username?.lowercased() == name.lowercased() }?.id
        let id = if let known { known } else { try await session.personID(argument.person) }
        try await session.client.setBlock(of: id, isOn: false)
        output.writeOutcome(.performed, ActionDocument(.unblock, id: id))
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the people whom you blocked or muted")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let (blocked, muted) = try await SocialCommands.withSession(output) { session in
        (try await session.client.blockedPeople(), try await session.client.mutedPeople())
      }
      let people = blocked.map { ("blocked", $0) } + muted.map { ("muted", $0) }
      output.writeHiddenPeople(people, none: "No blocked or muted people.")
    }
  }
}

// MARK: Lists of follows

/// One of the lists of follows.
protocol FollowListKind {
  static var list: FollowList { get }
  static var abstract: String { get }
  /// The relation of the people in the list, for the output.
  static var relation: String { get }
}

enum FollowersList: FollowListKind {
  static let list = FollowList.followers
  static let abstract = "List the people who follow you or another person, newest first"
  static let relation = "follower"
}

enum FollowingList: FollowListKind {
  static let list = FollowList.following
  static let abstract = "List the people whom you or another person follows, newest first"
  static let relation = "followed"
}

/// A command that prints a list of follows.
struct FollowListCommand<Kind: FollowListKind>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: Kind.list.rawValue, abstract: Kind.abstract)
  }

  @Argument(help: "Username, with or without @, or account ID. (default: you)")
  var person: String?

  @OptionGroup var page: ListOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    let people = try await SocialCommands.withSession(output) { session in
      let id = if let person { try await session.personID(person) } else { try await session.account }
      return try await session.client.people(Kind.list, of: id, limit: page.limit, offset: page.offset)
    }
    output.writeHiddenPeople(people.map { (Kind.relation, $0) }, none: "No visible people.")
  }
}

// MARK: Changes without a queue

/// A change of the relation to a person, which needs a connection.
protocol PersonChange {
  /// The action, which has the name of the command.
  static var action: ActionDocument.Action { get }
  static var abstract: String { get }
  static func perform(on person: UUID, _ client: any SocialClient) async throws
}

/// A command that changes the relation to a person.
struct PersonCommand<Change: PersonChange>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: Change.action.rawValue, abstract: Change.abstract)
  }

  @OptionGroup var argument: PersonArgument
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() async throws {
    try await SocialCommands.withSession(output) { session in
      let id = try await session.personID(argument.person)
      try await Change.perform(on: id, session.client)
      output.writeOutcome(.performed, ActionDocument(Change.action, id: id))
    }
  }
}

enum AcceptRequest: PersonChange {
  static let action = ActionDocument.Action.accept
  static let abstract = "Accept a person's request to follow you"

  static func perform(on person: UUID, _ client: any SocialClient) async throws {
    try await client.acceptFollowRequest(of: person)
  }
}

enum RefuseRequest: PersonChange {
  static let action = ActionDocument.Action.refuse
  static let abstract = "Refuse a person's request to follow you"

  static func perform(on person: UUID, _ client: any SocialClient) async throws {
    try await client.refuseFollowRequest(of: person)
  }
}

enum RemoveFollower: PersonChange {
  static let action = ActionDocument.Action.removeFollower
  static let abstract = "Remove a follower; the person isn't notified"

  static func perform(on person: UUID, _ client: any SocialClient) async throws {
    try await client.removeFollower(person)
  }
}

enum BlockPerson: PersonChange {
  static let action = ActionDocument.Action.block
  static let abstract = "Block a person: neither of you sees the other, and all follows between you end"

  static func perform(on person: UUID, _ client: any SocialClient) async throws {
    try await client.setBlock(of: person, isOn: true)
  }
}

enum MutePerson: PersonChange {
  static let action = ActionDocument.Action.mute
  static let abstract = "Mute a person: feeds no longer show their highlights, and the person isn't notified"

  static func perform(on person: UUID, _ client: any SocialClient) async throws {
    try await client.setMute(of: person, isOn: true)
  }
}

enum UnmutePerson: PersonChange {
  static let action = ActionDocument.Action.unmute
  static let abstract = "Unmute a person"

  static func perform(on person: UUID, _ client: any SocialClient) async throws {
    try await client.setMute(of: person, isOn: false)
  }
}
