import ArgumentParser
import ClipModel
import DurableFiles
import Foundation
import ShareEngine
import Social

extension SocialCommands {
  struct ProfileCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "profile", abstract: "Show a profile, or change yours", subcommands: [Show.self, Edit.self],
      defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a profile (default: yours)")

      @Argument(help: "Username, with or without @, or account ID. (default: you)")
      var person: String?

      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let document = try await SocialCommands.withSession(output) { session in
          let account = try await session.account
          let id = if let person { try await session.personID(person) } else { account }
          let client = session.client
          let (profile, cachedAt) = try await session.load(.profile(id)) {
            guard let profile = try await client.profile(id) else {
              throw SocialError.notFound(operation: "show the profile")
            }
            return profile
          }
          if let cachedAt {
            output.writeNote("the backend can't be reached; this is the profile of \(LocalTime.format(cachedAt))")
          }
          let isOther = id != account && cachedAt == nil
          return ProfileDocument(profile: profile, relation: isOther ? try await client.followState(of: id) : nil)
        }
        output.write(document, text: SocialText.details(document.profile, document.relation).lines)
      }
    }

    struct Edit: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change your profile",
        discussion: """
          EXAMPLES:
            bsc social profile edit --name "Ana Silva" --team "Beach Club"
            bsc social profile edit --avatar me.jpg    everyone can see the picture; its metadata is removed
            bsc social profile edit --bio ""          removes the bio
            bsc social profile edit --privacy followers_only
          """)

      @Option(help: "Display name, at most 50 characters.") var name: String?
      @Option(help: "Username: 3 to 30 letters, digits, _ and .") var username: String?
      @Option(help: "Bio, at most 160 characters; an empty text removes it.") var bio: String?
      @Option(help: "Team or club, at most 80 characters; an empty text removes it.") var team: String?
      @Option(help: "Picture: a JPEG, PNG or WebP file, at most 1 MiB; an empty text removes it.", completion: .file())
      var avatar: String?
      @Option(help: "Who can see your highlights: public, followers_only or private.") var privacy: PrivacyLevel?
      @OptionGroup(title: "Output") var output: OutputOptions

      private var change: ProfileChange {
        var change = ProfileChange()
        (change.displayName, change.username, change.bio) = (name, username, bio)
        (change.teamName, change.privacy) = (team, privacy)
        return change
      }

      func validate() throws {
        if change.isEmpty, avatar == nil {
          throw ValidationError("nothing to change; specify --name, --username, --bio, --team, --avatar or --privacy.")
        }
      }

      func run() async throws {
        let profile = try await SocialCommands.withSession(output) { session in
          var change = change
          if let avatar, !avatar.isEmpty {
            change.avatarURL = try await session.storeAvatar(path: absolutePath(avatar))
          }
          if avatar == "" { change.avatarURL = "" }
          let profile = try await session.client.changeProfile(change)
          if avatar == "" { try await session.client.deleteAvatar() }
          return profile
        }
        output.write(
          ProfileDocument(profile: profile), text: "changed the profile of @\(profile.username)\n")
      }
    }
  }
}
