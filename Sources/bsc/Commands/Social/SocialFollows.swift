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
      var document = ActionDocument(action: isFollowing ? "follow" : "unfollow", id: id)
      if outcome == .performed { document.relation = try await session.client.followState(of: id) }
      output.writeOutcome(outcome, document, "person")
    }
  }

  struct Requests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "requests", abstract: "List the people who ask to follow you, newest first")

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let requests = try await SocialCommands.withSession(output) { try await $0.client.followRequests() }
      for request in requests {
        output.writeEntry(
          FollowRequestDocument(request: request),
          text: SocialText.person(request.requesterID, request.requester?.username, request.requester?.displayName))
      }
      if requests.isEmpty { output.writeRemark("No requests.") }
    }
  }

  struct Accept: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "accept", abstract: "Accept a person's request to follow you")

    @OptionGroup var argument: PersonArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SocialCommands.change(argument.person, "accept", output) { client, id in
        try await client.acceptFollowRequest(of: id)
      }
    }
  }

  struct Refuse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "refuse", abstract: "Refuse a person's request to follow you")

    @OptionGroup var argument: PersonArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SocialCommands.change(argument.person, "refuse", output) { client, id in
        try await client.refuseFollowRequest(of: id)
      }
    }
  }

  // MARK: Blocks and mutes

  struct Block: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "block", abstract: "Block a person: neither of you sees the other, and all follows between you end")

    @OptionGroup var argument: PersonArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SocialCommands.change(argument.person, "block", output) { client, id in
        try await client.setBlock(of: id, isOn: true)
      }
    }
  }

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
        output.writeOutcome(.performed, ActionDocument(action: "unblock", id: id), "person")
      }
    }
  }

  struct Mute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mute", abstract: "Mute a person, who doesn't notice it: feeds no longer show their highlights")

    @OptionGroup var argument: PersonArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SocialCommands.change(argument.person, "mute", output) { client, id in
        try await client.setMute(of: id, isOn: true)
      }
    }
  }

  struct Unmute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unmute", abstract: "Unmute a person")

    @OptionGroup var argument: PersonArgument
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await SocialCommands.change(argument.person, "unmute", output) { client, id in
        try await client.setMute(of: id, isOn: false)
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
      for (relation, people) in [("blocked", blocked), ("muted", muted)] {
        for person in people {
          output.writeEntry(
            HiddenPersonDocument(relation: relation, person: person),
            text: SocialText.person(person.id, person.username, person.displayName) + "  \(relation)")
        }
      }
      if blocked.isEmpty, muted.isEmpty { output.writeRemark("No blocked or muted people.") }
    }
  }

  /// Changes the relation to a person. These changes need a connection.
  private static func change(
    _ person: String, _ action: String, _ output: OutputOptions,
    _ perform: (any SocialClient, UUID) async throws -> Void
  ) async throws {
    try await withSession(output) { session in
      let id = try await session.personID(person)
      try await perform(session.client, id)
      output.writeOutcome(.performed, ActionDocument(action: action, id: id), "person")
    }
  }
}
