import ArgumentParser
import ClipModel
import Foundation
import ShareEngine
import Social

extension SocialCommands {
  struct Analytics: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "analytics", abstract: "Show how often your highlights were watched, newest highlight first")

    @Option(help: "Number of days. (default: 30)", transform: NumericArgument.wholeNumberParser(1...3650))
    var days = 30

    @Option(help: "Maximum number of highlights. (default: 50)", transform: NumericArgument.wholeNumberParser(1...200))
    var limit = 50

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
      let rows = try await SocialCommands.withSession(output) {
        try await $0.client.analytics(days: days, limit: limit)
      }
      output.writeList(rows, none: "No highlights.") { (RowDocument("analytics", $0), SocialText.line($0)) }
    }
  }

  struct Settings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "settings", abstract: "Show or change your account's settings",
      discussion: """
        EXAMPLES:
          bsc social settings
          bsc social settings --downloads off --share-privacy followers_only
          bsc social settings --birth-date 2012-05-31
        """)

    enum Switch: String, CaseIterable, ExpressibleByArgument {
      case on, off
    }

    @Option(help: "Let others download new highlights by default: on or off.") var downloads: Switch?
    @Option(help: "Privacy level of new highlights: public, followers_only or private.") var sharePrivacy: PrivacyLevel?
    @Option(help: "Send notifications to your devices: on or off.") var push: Switch?
    @Option(
      help: ArgumentHelp(
        "Your date of birth, which protects young people. It can't be changed or read afterwards.", valueName: "date"))
    var birthDate: String?
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      if let birthDate, birthDate.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) == nil {
        throw ValidationError("--birth-date must be a date such as 2012-05-31.")
      }
    }

    func run() async throws {
      let settings = try await SocialCommands.withSession(output) { session in
        var settings = try await session.client.settings()
        let earlier = settings
        if let downloads { settings.allowsDownloads = downloads == .on }
        if let sharePrivacy { settings.sharePrivacy = sharePrivacy }
        if let push { settings.isPushEnabled = push == .on }
        if settings != earlier { try await session.client.store(settings) }
        if let birthDate { try await session.client.setBirthDate(birthDate) }
        return settings
      }
      output.write(RowDocument("settings", settings), text: SocialText.details(settings).lines)
    }
  }
}
