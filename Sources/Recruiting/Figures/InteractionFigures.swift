public import Foundation

/// The figures above the list of interactions, over the filtered list.
public struct InteractionFigures: Equatable, Sendable, Codable {
  public private(set) var total = 0
  public private(set) var outbound = 0
  public private(set) var inbound = 0
  public private(set) var thisWeek = 0

  public init(total: Int, outbound: Int, inbound: Int, thisWeek: Int) {
    self.total = total
    self.outbound = outbound
    self.inbound = inbound
    self.thisWeek = thisWeek
  }

  /// - Parameter interactions: the filtered list.
  public init(_ interactions: some Sequence<Interaction>, now: Date, in zone: RecruitingTimeZone) {
    let weekAgo = zone.days(7, before: now)
    for interaction in interactions {
      total += 1
      switch interaction.direction {
      case .outbound: outbound += 1
      case .inbound: inbound += 1
      }
      if interaction.displayDate >= weekAgo { thisWeek += 1 }
    }
  }
}
