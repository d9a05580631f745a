#if Recruiting
public import ArgumentParser
import Foundation
public import Recruiting
import ShareEngine

extension RecruitingCommands {
  struct Analytics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "analytics", abstract: "Show figures about the posts: sentiment, platforms, days and schools",
      discussion: """
        EXAMPLES:
          bsc recruiting analytics --days 90
          bsc recruiting analytics --days all --csv > analytics.csv
        """)

    @Option(help: "Calendar days until today in the local time zone: 7, 30, 90 or all. (default: 30)")
    var days = SocialAnalytics.Range.month
    @OptionGroup var table: TableOptions
    @OptionGroup var family: FamilyOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try output.check(table) }

    func run() async throws {
      let figures = try await RecruitingCommands.withFamily(family, output) {
        try await $0.api.analytics(of: $1.id, days, zone: TimeZone.current.identifier)
      }
      if table.csv { return Console.writeRawText(RecruitingExport.analytics(figures)) }
      output.write(
        RecruitingAnalyticsDocument(figures, days), text: RecruitingText.details(figures, days).lines)
    }
  }
}

extension SocialAnalytics.Range: ExpressibleByArgument {
  public init?(argument: String) {
    guard argument != "0", let days = argument == "all" ? 0 : Int(argument), let range = Self(rawValue: days) else {
      return nil
    }
    self = range
  }

  /// The values that the help lists.
  public static var allValueStrings: [String] { allCases.map { $0 == .all ? "all" : "\($0.rawValue)" } }
}
#endif
