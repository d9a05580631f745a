import Foundation
import Recruiting
import Testing

@Suite struct VaderScoreTests {
  private struct Expected: Decodable {
    let text: String
    let compound: Double

    init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      text = try list.decode(String.self)
      compound = try list.decode(Double.self)
    }
  }

  /// Scores of the PyPI package. `Scripts/sentiment-data` writes them and checks that they are up to date.
  @Test func scoresAreThoseOfThePackage() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../Sentiment/vader-scores.json").standardizedFileURL
    let expected = try JSONDecoder().decode([Expected].self, from: Data(contentsOf: file))
    #expect(expected.count > 2000)
    let different = expected.filter { abs(VaderScore($0.text).compound - $0.compound) > 0.0001 }
    #expect(
      different.isEmpty,
      "\(different.count) of \(expected.count), such as \(different.first?.text.debugDescription ?? "")")
  }

  @Test(arguments: [
    ("", 0), ("the team meets", 0), ("great", 1), ("so very great", 1), ("kind of great", 1),
    ("great win, but sad fans", 3), ("🙂", 1),
    ("\u{212A}iss", 1),
  ]) func ratedWordsAreCounted(text: String, count: Int) {
    #expect(VaderScore(text).ratedWordCount == count)
  }

  @Test(arguments: [
    ("Coach meets the team", nil), ("great", PostSentiment.veryPositive), ("good", .positive), ("okay", .positive),
    ("bad", .negative),
    ("good bad", .negative), ("not great", .negative), ("we met at the bus stop", .neutral), ("not good", .negative),
  ]) func classesOfTheProduct(text: String, sentiment: PostSentiment?) {
    #expect(VaderScore(text).sentiment == sentiment)
  }

  @Test func longTextsAreScored() {
    let text = String(repeating: "great but bad day 🏐 ", count: 5_000)
    #expect(VaderScore(text).ratedWordCount == 10_000)
    #expect(VaderScore(String(repeating: "é", count: 100_000)).ratedWordCount == 0)
  }
}

@Suite struct SentimentAnalysisTests {
  @Test(arguments: ["en", "en-US", "EN_gb", "und", "qht", "", nil]) func englishPostsAreAnalyzed(code: String?) {
    #expect(SentimentAnalysis.sentiment(of: "What a great win for our team!", language: code) == .veryPositive)
  }

  @Test(arguments: ["es", "de-DE", "pt", "eng2", "tr"]) func otherLanguagesAreNotAnalyzed(code: String) {
    #expect(SentimentAnalysis.sentiment(of: "What a great win for our team!", language: code) == nil)
  }

  @Test(arguments: [
    "Great win!", "Headed to Las Vegas, fun trip", "LOS ANGELES here we come, excited",
    "Love this team #vamos #equipo @el_coach", "José had a great game",
    "😀 great", "good https://t.co/los.las.el.en.que",
  ]) func englishIsDetected(text: String) {
    #expect(SentimentAnalysis.sentiment(of: text) != nil)
  }

  @Test(arguments: [
    "Allez l'équipe, super",
    "Gracias a todos por este gran triunfo, super love", "Hoy es un día muy especial para el equipo, wow",
    "Un super match pour notre équipe, merci à vous",
    "Was für ein super Spiel, danke an unser Team und die Fans", "Que jogo ótimo, obrigado, super time",
    "Che super partita per la nostra squadra, grazie",
    "Wat een super wedstrijd van ons team, bedankt", "Bugün çok güzel bir maç, super", "素晴らしい試合 super",
    "Отличная игра super", "مباراة رائعة super",
  ]) func otherLanguagesAreDetected(text: String) {
    #expect(SentimentAnalysis.sentiment(of: text) == nil)
    // The words themselves would have a sentiment.
    #expect(SentimentAnalysis.sentiment(of: text, language: "en") != nil)
  }
}
