/// The rules that the facts of a clip must satisfy before it becomes a highlight, whatever its draft claims. They are those
/// of `supabase/migrations/*_asset_facts.sql`.
enum AssetRules {
  /// The tolerance for durations in seconds. Containers round the times of their tracks differently.
  static let tolerance = 0.2
  /// The allowed length of each side of the picture in pixels.
  private static let sides = 16...4096

  /// Returns the reason why a clip can't become a highlight, or `nil` if it can.
  static func problem(_ facts: AssetProperties) -> String? {
    let count = facts.videoTrackCount
    if count != 1 { return "the clip has \(count) video tracks; it must have one" }
    let (seconds, allowed) = (facts.durationSeconds, DraftRules.duration)
    if !(allowed.lowerBound - tolerance...allowed.upperBound + tolerance).contains(seconds) {
      return "the clip lasts \((seconds * 100).rounded() / 100) s; a rally must last 3 to 60 s"
    }
    if ![facts.width, facts.height].allSatisfy(sides.contains) {
      return "the picture has \(facts.width) × \(facts.height) pixels; each side must have 16 to 4096"
    }
    return nil
  }
}
