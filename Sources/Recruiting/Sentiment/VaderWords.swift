/// VADER's words by number: ratings, degree adverbs and negations. The number 0 means any other word.
struct VaderWords: Sendable {
  typealias Number = UInt16

  /// The words that rules compare with.
  struct Named: Sendable {
    var no: Number = 0
    var or: Number = 0
    var nor: Number = 0
    var never: Number = 0
    var so: Number = 0
    var this: Number = 0
    var without: Number = 0
    var doubt: Number = 0
    var least: Number = 0
    var at: Number = 0
    var very: Number = 0
    var but: Number = 0
    var kind: Number = 0
    var of: Number = 0
  }

  static let shared = VaderWords()

  /// By number. Not a number for words without a rating.
  private(set) var ratings: [Double] = []
  /// By number. 0 for words that are not degree adverbs.
  private(set) var degrees: [Double] = []
  private(set) var negations: [Bool] = []
  private(set) var named = Named()
  /// Phrases with a rating: the numbers of two or three words.
  private(set) var idioms: [(words: [Number], rating: Double)] = []
  /// Degree adverbs of two words, which weaken.
  private(set) var weakeningPairs: [[Number]] = []
  let emoji: [UInt32: [UInt8]]

  /// An open hash table of numbers, with a power of two as its size.
  private var slots: [Number]
  private var keys: [[UInt8]] = []

  static let degree = 0.293

  private init() {
    slots = Array(repeating: 0, count: 32_768)
    var emoji: [UInt32: [UInt8]] = [:]
    for entry in VaderLexicon.emoji.split(whereSeparator: \.isWhitespace) {
      guard let end = entry.firstIndex(of: "_"), let scalar = UInt32(entry[..<end], radix: 16) else { continue }
      emoji[scalar] = Array(entry[entry.index(after: end)...].replacing("_", with: " ").utf8)
    }
    self.emoji = emoji
    _ = add("")
    for entry in VaderLexicon.words.split(whereSeparator: \.isWhitespace) {
      guard let end = entry.lastIndex(of: "_"), let rating = Int(entry[entry.index(after: end)...]) else { continue }
      ratings[Int(add(entry[..<end]))] = Double(rating) / 10
    }
    for word in Self.intensifiers { degrees[Int(add(word))] = Self.degree }
    for word in Self.dampeners { degrees[Int(add(word))] = -Self.degree }
    for word in Self.negationWords { negations[Int(add(word))] = true }
    named = Named(
      no: add("no"), or: add("or"), nor: add("nor"), never: add("never"), so: add("so"), this: add("this"),
      without: add("without"), doubt: add("doubt"), least: add("least"), at: add("at"), very: add("very"),
      but: add("but"), kind: add("kind"), of: add("of"))
    for (phrase, rating) in Self.ratedPhrases { idioms.append((phrase.split(separator: " ").map { add($0) }, rating)) }
    weakeningPairs = [["just", "enough"], ["kind", "of"], ["sort", "of"]].map { $0.map { add($0) } }
  }

  /// The number of a word. Adds a new one.
  private mutating func add(_ word: some StringProtocol) -> Number {
    let bytes = Array(word.utf8)
    var slot = 0
    if let known = find(bytes[...], &slot) { return known }
    let number = Number(keys.count)
    keys.append(bytes)
    ratings.append(.nan)
    degrees.append(0)
    negations.append(false)
    slots[slot] = number
    return number
  }

  /// The number of a token of ASCII characters, ignoring case.
  func number(of token: ArraySlice<UInt8>) -> Number {
    var slot = 0
    return token.count > Self.longest ? 0 : find(token, &slot) ?? 0
  }

  /// Longer tokens are not in the lexicon.
  private static let longest = 24

  private func find(_ token: ArraySlice<UInt8>, _ slot: inout Int) -> Number? {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in token { hash = (hash ^ UInt64(byte.lowercasedASCII)) &* 0x100_0000_01b3 }
    slot = Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (slots.count - 1)
    while slots[slot] != 0 {
      if isEqual(keys[Int(slots[slot])], token) { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func isEqual(_ key: [UInt8], _ token: ArraySlice<UInt8>) -> Bool {
    guard key.count == token.count else { return false }
    var position = token.startIndex
    for byte in key {
      if byte != token[position].lowercasedASCII { return false }
      position += 1
    }
    return true
  }

  private static let intensifiers = [
    "absolutely", "amazingly", "awfully", "completely", "considerable", "considerably", "decidedly", "deeply",
    "effing", "enormous", "enormously", "entirely", "especially", "exceptional", "exceptionally", "extreme",
    "extremely", "fabulously", "flipping", "flippin", "frackin", "fracking", "fricking", "frickin", "frigging",
    "friggin", "fully", "fuckin", "fucking", "fuggin", "fugging", "greatly", "hella", "highly", "hugely", "incredible",
    "incredibly", "intensely", "major", "majorly", "more", "most", "particularly", "purely", "quite", "really",
    "remarkably", "so", "substantially", "thoroughly", "total", "totally", "tremendous", "tremendously", "uber",
    "unbelievably", "unusually", "utter", "utterly", "very",
  ]

  private static let dampeners = [
    "almost", "barely", "hardly", "kinda", "kindof", "kind-of", "less", "little", "marginal", "marginally",
    "occasional", "occasionally", "partly", "scarce", "scarcely", "slight", "slightly", "somewhat", "sorta", "sortof",
    "sort-of",
  ]

  private static let negationWords = [
    "aint", "arent", "cannot", "cant", "couldnt", "darent", "didnt", "doesnt", "dont", "hadnt", "hasnt", "havent",
    "isnt", "mightnt", "mustnt", "neither", "neednt", "never", "none", "nope", "nor", "not", "nothing", "nowhere",
    "oughtnt", "shant", "shouldnt", "uhuh", "wasnt", "werent", "uh-uh", "without", "wont", "wouldnt", "rarely",
    "seldom", "despite",
  ]

  private static let ratedPhrases: [(String, Double)] = [
    ("the shit", 3), ("the bomb", 3), ("bad ass", 1.5), ("bus stop", 0), ("yeah right", -2), ("kiss of death", -1.5),
    ("to die for", 3), ("beating heart", 3.5),
  ]
}

extension UInt8 {
  var lowercasedASCII: UInt8 { (65...90).contains(self) ? self | 32 : self }
  var isASCIIUppercase: Bool { (65...90).contains(self) }
  var isASCIILowercase: Bool { (97...122).contains(self) }
  /// Python's `string.punctuation`.
  var isASCIIPunctuation: Bool {
    (33...47).contains(self) || (58...64).contains(self) || (91...96).contains(self) || (123...126).contains(self)
  }
}
