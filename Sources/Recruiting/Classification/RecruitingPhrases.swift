/// The words that make a post recruiting-related, and the phrases in which they mean something else.
///
/// A phrase is a list of words. In a phrase, `a|b` is one of several words, `?` is any word, `#` is a number, and `20##` is
/// a year. Hashtags are words without `#`.
public enum RecruitingPhrases {
  /// A post with one of these phrases is recruiting-related.
  public static let recruiting: [String] = [
    // Offers.
    "offer|offers|offered", "scholarship|scholarships", "full ride", "walk on|ons", "walk-on|walk-ons",
    // Commitments.
    "commit|commits|committed|commitment|commitments", "decommit|decommits|decommitted|de-committed",
    "verbal|verbals|verballed|verbally", "letter of intent", "nli", "signing|signee|signees day|week|class",
    "signee|signees", "early signing",
    // Classes and places in a team.
    "class of 20##", "classof20##", "co20##", "20##s",
    "20## class|commit|commits|recruit|recruits|recruiting|grad|grads|prospect|prospects", "uncommitted",
    "prospect|prospects", "psa|psas", "roster spot|spots|opening|openings", "open roster|spot|spots",
    "looking for a|an ? setter|libero|middle|outside|opposite|hitter|passer|blocker|ds",
    "looking for a|an setter|libero|middle|outside|opposite|hitter|passer|blocker|ds", "transfer portal",
    "in the portal", "graduate|grad transfer|transfers",
    // Visits and contacts.
    "official|unofficial|campus visit|visits", "official|unofficial visitor|visitors", "junior|prospect day|days",
    "dead|quiet|contact|evaluation period", "june 15|15th",
    // Camps.
    "camp|camps", "clinic|clinics", "showcase|showcases", "combine|combines", "tryout|tryouts",
    // Recruiting.
    "recruit|recruits|recruited|recruiting|recruitment", "recruiter|recruiters", "recruitingclass", "vbrecruiting",
    "highlight video|reel|tape", "skills video", "ncsa", "sportsrecruits", "universityathlete",
  ]

  /// Phrases whose words are ignored, because they mean something else.
  public static let falseFriends: [String] = commitments + offers + camps + others

  private static let commitments = [
    "commit|commits|committed|committing \(mistakes)",
    "commit|commits|committed|committing ? \(mistakes)",
    "commit|commits|committed|committing ? ? \(mistakes)",
    "commit|commits|committed|commitment|commitments to|of \(values)",
    "commit|commits|committed|commitment|commitments to|of ? \(values)",
    "commitment and", "for your|her|his|their commitment", "verbal|verbally abuse|abused|assault|assaulted|warning",
  ]

  private static let mistakes =
    "error|errors|foul|fouls|fault|faults|violation|violations|mistake|mistakes|turnover|turnovers|crime|crimes"

  private static let values =
    "excellence|community|communities|process|culture|craft|greatness|success|growth|values|mission|safety|health|"
    + "diversity|inclusion|equity|sustainability|quality|fans|family|education|academics|service|others|each|"
    + "improvement|providing|building|making|helping|winning|improving|working|being|getting|creating|growing|"
    + "keeping|supporting|serving"

  private static let offers = [
    "special|limited|holiday|ticket|discount|season|exclusive|job|contract|peace|trade|best|time offer|offers",
    "offer|offers|offered|offering \(kindness)", "offer|offers|offered|offering ? \(kindness)",
    "offer ends|expires|valid|code|good", "offer # off", "lot|much to offer", "to offer you",
    "scholarship fund|foundation|dinner|banquet|fundraiser",
  ]

  private static let kindness =
    "condolences|congratulations|support|prayers|help|advice|thanks|hand|discount|discounts|refund|refunds|tickets"

  private static let camps = [
    "boot|day|band|cheer|church|training|refugee|concentration camp|camps", "camp out|fire|site|ground|chair",
    "happy camper", "health|vaccine|blood|flu|vaccination|law clinic|clinics", "combine|combines with|for|to|them",
    "put|putting on a clinic", "talent|product|art|cultural showcase|showcases",
    "showcase|showcases our|the|her|his|their|your|its", "play|musical|orchestra|broadway tryout|tryouts",
  ]

  private static let others = [
    "job|military|army|navy|police|staff|volunteer recruiter|recruiters|recruiting|recruitment|recruits",
    "recruit|recruiting|recruits volunteers|volunteer|staff|officials|referees|donors|participants|employees|fans",
    "recruiting for volunteers", "title|playoff|job|season|business prospect|prospects", "prospect|prospects of|for",
    "class of 20## reunion|graduation|graduates|graduate|alumni|commencement", "signing day book|autograph",
    "autograph|book|poster signing day|week", "official visit from",
  ]
}
