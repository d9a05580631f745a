#if Recruiting
import ArgumentParser
import ClipModel
import Foundation
import Recruiting
import Reports
import ShareEngine

extension RecruitingCommands {
  struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sync", abstract: "Read the new posts of coaches and schools from X and Instagram",
      discussion: """
        EXAMPLES:
          bsc recruiting sync token twitter < token.txt       stores a token
          bsc recruiting sync

        A family has at most one sync in five minutes. A handle that can't be read doesn't stop the others. If a \
        platform's limit stops a sync, the next one begins with the handles that were not read. Posts with an \
        invalid value are skipped and reported. The first sync of a day (UTC) checks the newest 100 posts from X, and \
        removes deleted ones without a flag or notes. Tokens come from BSC_SYNC_X_TOKEN and BSC_SYNC_INSTAGRAM_TOKEN, \
        or from "sync token". Instagram also needs the setting sync.instagram_account.
        """,
      subcommands: [Run.self, Token.self], defaultSubcommand: Run.self)
  }
}

extension RecruitingCommands.Sync {
  struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", abstract: "Read the new posts")

    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let report = try await RecruitingCommands.withFamily(family, output) { try await $0.sync($1) }
      let failed = report.results.filter { $0.problem != nil }
      for result in failed {
        let reason = result.problem.map(RecruitingTexts.reason) ?? ""
        output.writeNote("\(result.handle.display) on \(result.handle.platform.label): \(reason)")
      }
      for result in report.results where result.skippedCount > 0 {
        let skipped = RecruitingTexts.skipped(result.skippedCount)
        output.writeNote("\(result.handle.display) on \(result.handle.platform.label): \(skipped)")
      }
      if report.removed > 0 { output.writeNote(RecruitingTexts.removed(report.removed)) }
      if !report.refused.isEmpty { output.writeNote(RecruitingTexts.refused(report.refused.map(\.field))) }
      for platform in report.skipped { output.writeNote("\(platform.label) was skipped: there is no token") }
      if let time = report.retryAt { output.writeNote("requests are accepted again after \(LocalTime.format(time))") }
      if output.json || !report.isFailure {
        output.write(
          RecruitingSyncDocument(report), text: StyledText(RecruitingTexts.synced(report.ingest.added) + "\n"))
      }
      if report.isFailure { throw CommandFailure(.syncFailed, ["count": "\(failed.count)"]) }
    }
  }

  struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token", abstract: "Store a platform's token in a file that only you can read",
      discussion: """
        Reads the token from stdin, or asks for it without showing it.

        EXAMPLES:
          bsc recruiting sync token twitter < token.txt
          bsc recruiting sync token instagram --remove
        """)

    @Argument(help: "Platform: twitter or instagram.") var platform: SocialPlatform
    @Flag(help: "Remove the stored token.") var remove = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let places = try EngineEnvironment().places
      let token = remove ? nil : try Self.readToken()
      try await RecruitingSession.storeToken(token, for: platform, in: places)
      output.write(
        RecruitingActionDocument(action: remove ? .removeToken : .storeToken, id: platform.rawValue),
        text: "\(remove ? "removed" : "stored") the token for \(platform.label)\n")
    }

    private static func readToken() throws -> Secret {
      let token = Console.readSecret("Token")?.filter { !$0.isWhitespace } ?? ""
      guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw CommandFailure(.noSyncTokenText)
      }
      return Secret(token)
    }
  }
}

extension RecruitingSyncDocument {
  init(_ report: SyncReport) {
    (added, changed) = (report.ingest.added, report.ingest.changed)
    (unchanged, dismissed) = (report.ingest.unchanged, report.ingest.dismissed)
    removed = report.removed
    handles = report.results.map {
      HandleState(
        platform: $0.handle.platform, handle: $0.handle.name, posts: $0.posts.count, skippedPosts: $0.skippedCount,
        problem: $0.problem?.rawValue)
    }
    refusedPosts = report.refused.map {
      RefusedPost(
        platform: $0.post.address.platform, handle: $0.post.author.name, address: $0.post.address.text, field: $0.field)
    }
    skippedPlatforms = report.skipped
    retryAt = report.retryAt.map(RecruitingDate.format)
  }
}
#endif
