/// Whether a text is English, the only language of the lexicon.
public enum PostLanguage {
  /// X's codes for posts without a language: undetermined, or only mentions, hashtags, links, media.
  private static let undetermined: Set<String> = ["", "und", "qam", "qct", "qht", "qme", "qst", "zxx", "art"]

  /// - Parameters:
  ///   - text: the content of a post.
  ///   - code: its language as the platform reports it (BCP 47), if it does.
  public static func isEnglish(_ text: String, code: String?) -> Bool {
    let primary = code?.lowercased().prefix { $0 != "-" && $0 != "_" } ?? ""
    if !undetermined.contains(String(primary)) { return primary == "en" }
    return detectsEnglish(in: text)
  }

  /// Compares the frequent words of languages with Latin letters. Without any of them, such as in "Great win!", a text in
  /// Latin letters is English.
  static func detectsEnglish(in text: String) -> Bool {
    var latin = 0
    var other = 0
    var hasDiacritics = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x41...0x5A, 0x61...0x7A: latin += 1
      case ..<0xC0: break
      case ..<0x250:
        latin += 1
        hasDiacritics = true
      default: if scalar.properties.isAlphabetic, !scalar.properties.isEmoji { other += 1 }
      }
    }
    if other > latin { return false }
    var counts = [Int](repeating: 0, count: frequentWords.count)
    for word in PostWords.split(text, keepsHashtags: false) {
      // French and Italian write short words together with the next one: "l'équipe".
      let known = languages[word] ?? word.split(separator: "'").last.flatMap { languages[String($0)] } ?? []
      for language in known { counts[language] += 1 }
    }
    let best = counts.dropFirst().max() ?? 0
    // One word can be a name, such as in "Las Vegas".
    return best <= counts[0] || best == 1 && !hasDiacritics
  }

  /// The indexes of the languages of a word in `frequentWords`.
  private static let languages: [String: [Int]] = {
    var languages: [String: [Int]] = [:]
    for (index, words) in frequentWords.enumerated() {
      for word in words { languages[word, default: []].append(index) }
    }
    return languages
  }()

  /// English first. No word is in the English list and in another one.
  private static let frequentWords: [Set<String>] = [
    [
      "the", "and", "of", "to", "is", "it", "for", "you", "that", "with", "this", "was", "are", "be", "have", "we",
      "our", "your", "not", "from", "at", "will", "they", "his", "her", "my", "what", "who", "has", "had", "were",
      "been", "it's", "i'm", "we're", "us", "their", "out", "up", "all", "can", "just", "get",
    ],
    [
      "el", "los", "las", "que", "y", "en", "por", "una", "con", "para", "del", "es", "muy", "más", "pero", "su", "lo",
      "como", "este", "esta", "hoy", "gracias", "nuestro", "nuestra", "equipo", "fue", "vamos",
    ],
    [
      "o", "os", "um", "uma", "não", "que", "para", "por", "da", "dos", "das", "em", "mais", "muito", "é",
      "foi", "hoje", "obrigado", "nosso", "nossa", "equipe", "você",
    ],
    [
      "le", "la", "les", "des", "et", "est", "une", "du", "dans", "pour", "avec", "pas", "qui", "sur", "nous", "vous",
      "notre", "très", "ce", "cette", "équipe", "merci", "je", "c'est", "au", "aux",
    ],
    [
      "der", "das", "und", "ist", "nicht", "ein", "eine", "mit", "für", "auf", "den", "dem", "von", "zu", "wir",
      "ich", "sich", "auch", "heute", "sehr", "unser", "unsere", "danke",
    ],
    [
      "il", "di", "che", "è", "un", "una", "per", "con", "non", "della", "del", "gli", "sono", "questo", "questa",
      "molto", "grazie", "oggi", "nostra", "nostro", "squadra", "anche",
    ],
    [
      "het", "een", "van", "niet", "voor", "met", "zijn", "op", "wij", "ons", "onze", "heel", "vandaag", "bedankt",
      "ook", "maar", "deze",
    ],
    ["ve", "bir", "bu", "için", "çok", "ile", "değil", "bugün", "takım", "teşekkürler"],
    ["jest", "nie", "się", "na", "że", "dla", "dziś", "bardzo", "dziękuję", "nasz", "oraz"],
  ]
}
