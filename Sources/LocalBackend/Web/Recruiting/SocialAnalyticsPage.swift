#if Recruiting
import Foundation
import Hummingbird
import Recruiting

/// The page `/social/analytics`, with charts as SVG, and its figures as CSV.
struct SocialAnalyticsPage: Sendable {
  let site: RecruitingSite

  func add(to router: Router<BackendContext>) {
    router.get("social/analytics") { request, _ in try await site.show(request) { try await page($0) } }
    router.get("social/analytics.csv") { request, _ in
      try await site.show(request) { member in
        let figures = try await figures(try range(member), member)
        return TableDownload.response(RecruitingExport.analytics(figures), named: "social-analytics.csv")
      }
    }
  }

  /// The range in the address: `?days=7`, or `?days=all`. 30 days without one.
  private func range(_ member: FamilyVisitor) throws -> SocialAnalytics.Range {
    guard let text = member.parameter("days"), !text.isEmpty else { return .month }
    guard let range = SocialAnalytics.Range.allCases.first(where: { Self.value(of: $0) == text }) else {
      throw PageFailure(
        status: .badRequest, heading: "Unknown filter",
        text: RecruitingPageTexts.sentence(RecruitingError(.filter, ["name": "days", "value": text])))
    }
    return range
  }

  private static func value(of range: SocialAnalytics.Range) -> String { range == .all ? "all" : "\(range.rawValue)" }

  private func figures(_ range: SocialAnalytics.Range, _ member: FamilyVisitor) async throws -> SocialAnalytics {
    let json = try await member.rows.call(
      "social_analytics",
      [
        "family": member.family.id, "days": range == .all ? nil : "\(range.rawValue)", "time_zone": member.zoneName,
      ])
    let list = try RowList<SocialAnalytics>.decode(Data("[".utf8) + json + Data("]".utf8))
    guard let figures = list.rows.first else {
      throw BackendFailure(
        .internalServerError, "unreadable", "the figures are not as expected: \(list.skipped.first?.reason ?? "")")
    }
    return figures
  }

  private func page(_ member: FamilyVisitor) async throws -> Response {
    let range = try range(member)
    let figures = try await figures(range, member)
    let isEmpty = figures.total == 0
    var values: [String: Any?] = [
      "title": "Social Analytics", "socialPath": member.path("/social"),
      "ranges": SocialAnalytics.Range.allCases.map {
        [
          "label": $0.label, "isCurrent": $0 == range,
          "path": member.path("/social/analytics", [("days", Self.value(of: $0))]),
        ] as [String: Any]
      },
      "exportPath": member.path("/social/analytics.csv", [("days", Self.value(of: range))]),
      "figuresTitle": "Summary", "cards": Self.cards(figures),
      "noSentiment": isEmpty ? RecruitingTexts.noData : RecruitingTexts.noSentiment, "noData": RecruitingTexts.noData,
      "hasPosts": !isEmpty,
      "platforms": [
        ["name": "twitter", "label": SocialPlatform.twitter.label, "count": "\(figures.twitter)"],
        ["name": "instagram", "label": SocialPlatform.instagram.label, "count": "\(figures.instagram)"],
      ],
      "daysTitle": range == .all ? RecruitingTexts.lastDaysTitle : "Activity by Day",
      "sentimentChart": figures.analyzed == 0 ? nil : AnalyticsCharts.sentiments(figures.sentiments),
      "dayChart": isEmpty ? nil : AnalyticsCharts.days(figures.days, in: member.zone),
    ]
    values.merge(Self.lists(figures, member)) { $1 }
    let state = isEmpty ? RecruitingTexts.noPostsInPeriod : nil
    values.merge(RecruitingSite.nothing(state, symbol: "📊")) { $1 }
    return site.page("socialanalytics", .analytics, values, member)
  }

  private static func cards(_ figures: SocialAnalytics) -> [[String: Any]] {
    [
      RecruitingSite.card("Total Posts", "\(figures.total)", tone: "gray"),
      RecruitingSite.card(
        "Recruiting Posts", "\(figures.recruiting)", tone: "green",
        subtitle: "\(figures.recruitingPercentage)% of total"),
      RecruitingSite.card(
        "Positive Sentiment", "\(figures.positive)", tone: "blue",
        subtitle: "\(figures.positivePercentage)% of analyzed"),
      RecruitingSite.card("Active Schools", "\(figures.activeSchools)", tone: "purple"),
    ]
  }

  private static func lists(_ figures: SocialAnalytics, _ member: FamilyVisitor) -> [String: Any?] {
    [
      "hasSchools": !figures.schools.isEmpty,
      "schools": figures.schools.enumerated().map { index, school in
        [
          "rank": index + 1, "name": school.name, "count": "\(school.count)", "path": "/schools/\(school.id)",
          "spoken": AccessibilityLabels.school(rank: index + 1, school),
        ] as [String: Any]
      },
      "hasRecent": !figures.recent.isEmpty, "allPath": member.path("/social", [("type", "recruiting")]),
      "recent": figures.recent.map { post in
        [
          "platformName": post.platform.rawValue, "platformLabel": post.platform.label,
          "handle": "@\(post.authorHandle)", "age": RelativeTime.text(post.postDate, now: member.now),
          "date": member.zone.label(post.postDate), "dateISO": RecruitingDate.format(post.postDate),
          "text": post.postContent,
        ] as [String: Any]
      },
    ]
  }
}

/// The geometry of the charts. Style sheets set the colors, for both themes and for paper.
enum AnalyticsCharts {
  private static let chartHeight = 160.0
  private static let chartWidth = 900.0

  /// Horizontal bars: the shares of the analyzed posts, in percent. The bar of a few posts is at least 1 % wide.
  static func sentiments(_ shares: [SocialAnalytics.SentimentShare]) -> [String: Any] {
    [
      "chartLabel": AccessibilityLabels.sentimentChart(shares),
      "rows": shares.map { share in
        [
          "name": share.sentiment.rawValue, "label": share.sentiment.labelWithEmoji, "count": "\(share.count)",
          "percentage": "\(share.percentage)", "hasWidth": share.count > 0, "width": "\(max(1, share.percentage))",
        ] as [String: Any]
      },
    ]
  }

  /// One bar per day. A day with posts is at least two units high.
  static func days(_ days: [SocialAnalytics.Day], in zone: RecruitingTimeZone) -> [String: Any] {
    let step = chartWidth / Double(max(days.count, 1))
    let labels = days.map { day in zone.date(ofField: day.day + "T12:00").map(zone.dayLabel) ?? day.day }
    return [
      "chartWidth": text(chartWidth),
      "chartLabel": AccessibilityLabels.dayChart(zip(labels, days).map { ($0, $1.count) }),
      "firstDay": labels.first ?? "", "lastDay": labels.last ?? "",
      "bars": days.enumerated().map { index, day in
        let height = day.count == 0 ? 0 : max(2, day.height * (chartHeight - 8))
        return [
          "dayLabel": labels[index], "dayCount": PageText.countText(day.count, "post"), "step": text(step),
          "x": text(Double(index) * step), "barX": text((Double(index) + 0.15) * step),
          "barWidth": text(step * 0.7), "y": text(chartHeight - height), "height": text(height),
        ] as [String: Any]
      },
    ]
  }

  private static func text(_ number: Double) -> String {
    let tenths = (number * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}
#endif
