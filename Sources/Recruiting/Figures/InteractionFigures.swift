public import Foundation

/// The figures above the list of interactions, over the filtered list.
public struct InteractionFigures: Equatable, Sendable, Codable {
  /// The number of interactions.
  public private(set) var total = 0
  /// Contacts that the family made.
  public private(set) var outbound = 0
  /// Contacts that coaches made.
  public private(set) var inbound = 0
  /// Interactions of the last seven days, back from now, and planned ones.
  public private(set) var thisWeek = 0

  /// The figures that `interaction_figures` in the database returned.
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
