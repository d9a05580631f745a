#if Recruiting
public import ArgumentParser
import ClipModel
import Foundation
public import Recruiting
import Reports
import ShareEngine

extension RecruitingCommands {
  struct Posts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "posts", abstract: "List, flag, annotate, delete and import posts of coaches and schools",
      discussion: """
        EXAMPLES:
          bsc recruiting posts list --only recruiting --school Rice
          bsc recruiting posts notices
          bsc recruiting posts flag 3f2a
          bsc recruiting posts log 3f2a --as dm

        Flags and notes belong to the family: all members see them.
        """,
      subcommands: [
        List.self, Show.self, Notices.self, Flag.self, Unflag.self, Notes.self, Delete.self, Log.self, Import.self,
      ], defaultSubcommand: List.self)
  }
}

/// The post that a command is about.
struct PostArgument: ParsableArguments {
  @Argument(help: "ID of the post, or at least its first four characters.") var id: String
}

extension PostFilter.Kind: ExpressibleByArgument {}

extension RecruitingCommands.Posts {
  private static func write(
    _ argument: PostArgument, _ verb: String, _ family: FamilyOptions, _ output: OutputOptions,
    _ change: (RecruitingSession, String) async throws -> SocialPost
  ) async throws {
    let post = try await RecruitingCommands.withFamily(family, output) { session, family in
      try await change(session, try await session.api.post(argument.id, in: family.id).id)
    }
    output.write(RecruitingDocument("post", post), text: "\(verb) \(RecruitingText.line(post))\n")
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List posts, newest first, with the statistics of all posts")

    @Option(help: "Posts whose content, author or handle contains this text.") var search = ""
    @Option(help: "Platform: twitter or instagram.") var platform: SocialPlatform?
    @Option(help: "Posts of this school and its coaches: a name or an ID.") var school: String?
    @Option(help: "Posts of this coach: a name or an ID.") var coach: String?
    @Option(help: "Only flagged or only recruiting posts: flagged or recruiting.") var only: PostFilter.Kind?
    @Option(help: "Sentiment: very_positive, positive, neutral or negative.") var sentiment: PostSentiment?
    @Option(help: "Maximum number of posts. (default: 50)", transform: NumericArgument.wholeNumberParser(1...100_000))
    var limit = 50
    @Option(help: "Number of posts to skip. (default: 0)", transform: NumericArgument.wholeNumberParser(0...1_000_000))
    var offset = 0
    @OptionGroup var table: TableOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try output.check(table) }

    func run() async throws {
      let (posts, statistics) = try await RecruitingCommands.withFamily(family, output) { session, family in
        var filter = PostFilter(search: search, platform: platform, kind: only, sentiment: sentiment)
        if let school { filter.schoolId = try await session.school(school, in: family).id }
        let coach = if let coach = self.coach { try await session.coach(coach, in: family).id } else { String?.none }
        let posts = try await session.api.posts(of: family.id, filter, coach: coach, limit: limit, offset: offset)
        return (posts, try await session.api.statistics(of: family.id, coach: coach))
      }
      if table.csv { return Console.writeRawText(RecruitingExport.posts(posts, in: TimeArgument.zone)) }
      output.writeList(posts) { (RecruitingDocument("post", $0), RecruitingText.line($0)) }
      if output.json { Console.writeJSON(RecruitingDocument("statistics", statistics)) }
      output.writeRemark(RecruitingText.figures(statistics))
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a post with the family's notes")

    @OptionGroup var argument: PostArgument
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let post = try await RecruitingCommands.withFamily(family, output) {
        try await $0.api.post(argument.id, in: $1.id)
      }
      output.writeEntry(RecruitingDocument("post", post), text: RecruitingText.details(post))
    }
  }

  struct Notices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "notices", abstract: "List the numbers of new posts, or mark them as read",
      subcommands: [List.self, Read.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the number of new posts of each coach since you marked them as read")

      @OptionGroup var table: TableOptions
      @OptionGroup var family: FamilyOptions
      @OptionGroup(title: "Output") var output: OutputOptions

      func validate() throws { try output.check(table) }

      func run() async throws {
        let (notices, names) = try await RecruitingCommands.withFamily(family, output) { session, family in
          (try await session.api.unreadNotices(of: family.id), try await session.names(of: family))
        }
        if table.csv {
          return Console.writeRawText(
            RecruitingExport.notices(notices, coaches: names.coachNames, in: TimeArgument.zone))
        }
        output.writeList(notices, none: "No new posts.") {
          let coach = names.coach($0.coachId)
          return (RecruitingDocument("notice", $0, ["coach": coach]), RecruitingText.line($0, coach: coach))
        }
      }
    }

    struct Read: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Mark all posts as read, for you and not for other members")

      @OptionGroup var family: FamilyOptions
      @OptionGroup(title: "Output") var output: OutputOptions

      func run() async throws {
        let (family, marked) = try await RecruitingCommands.withFamily(family, output) { session, family in
          let notices = try await session.api.unreadNotices(of: family.id)
          return (family, try await session.api.markNoticesRead(notices, at: Date()))
        }
        let count = RecruitingTexts.newPosts(marked.map(\.postCount).reduce(0, +))
        output.write(
          RecruitingActionDocument(action: .readNotices, id: family.id), text: "marked \(count) as read\n")
      }
    }
  }

  struct Flag: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "flag", abstract: "Flag a post for review")

    @OptionGroup var argument: PostArgument
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Posts.write(argument, "flagged", family, output) {
        try await $0.api.flagPost($1, true)
      }
    }
  }

  struct Unflag: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unflag", abstract: "Remove the flag of a post")

    @OptionGroup var argument: PostArgument
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Posts.write(argument, "unflagged", family, output) {
        try await $0.api.flagPost($1, false)
      }
    }
  }

  struct Notes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "notes", abstract: "Change the family's notes about a post")

    @OptionGroup var argument: PostArgument
    @Argument(help: "Notes, at most 5,000 characters; an empty text removes them.") var notes: String
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Posts.write(argument, "changed the notes of", family, output) {
        try await $0.api.setNotes(notes, of: $1)
      }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete a post from the family's list; the next sync doesn't add it again")

    @OptionGroup var argument: PostArgument
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.withFamily(family, output) { session, family in
        let post = try await session.api.post(argument.id, in: family.id)
        let question: StyledText = "Delete \(RecruitingText.line(post))? This cannot be undone."
        guard try confirmation.confirm(question, "the post \(post.id)") else {
          return Console.writeError("Not deleted.\n")
        }
        try await session.api.deletePost(post.id)
        output.write(RecruitingActionDocument(action: .deletePost, id: post.id), text: "deleted \(post.id)\n")
      }
    }
  }

  struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "log", abstract: "Log a post as an inbound interaction, for athletes")

    enum Kind: String, CaseIterable, ExpressibleByArgument {
      case tweet, dm

      var type: InteractionType { self == .tweet ? .tweet : .directMessage }
    }

    @OptionGroup var argument: PostArgument
    @Option(name: .customLong("as"), help: "Type of the interaction: tweet or dm. (default: tweet)") var kind = Kind
      .tweet
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await RecruitingCommands.Interactions.write("logged", family, output) { session, family in
        let values = InteractionChange(try await session.api.post(argument.id, in: family.id), as: kind.type)
        return try await session.api.addInteraction(values, id: RecruitingAPI.newID(), to: family.id)
      }
    }
  }

  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Add the posts of a CSV or JSON file, without any token",
      discussion: """
        Columns or keys: post_url, post_content and post_date, and optionally author_handle, author_name and language. \
        Existing and deleted posts are skipped.

        EXAMPLES:
          bsc recruiting posts import posts.csv --dry-run
        """)

    @OptionGroup var options: ImportOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      try await options.run(.posts, family, output) { session, family, table in
        let known = try await session.api.posts(of: family.id).compactMap { try? PostAddress($0.postUrl) }
        return try table.previewPosts(existing: Set(known), in: TimeArgument.zone)
      } describe: { post in
        StyledText("\(post.author.display)  \(String(post.content.prefix(100)))".onOneLine)
      } store: { session, family, posts in
        try await session.api.ingest(posts.map(IngestRow.init), into: family.id)
      }
    }
  }
}
#endif
