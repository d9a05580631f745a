import Recruiting
import Testing

@Suite struct RecruitingClassifierTests {
  @Test(arguments: [
    "Blessed to receive an offer from Ohio State!", "I am excited to announce my commitment to play at UCLA",
    "100% COMMITTED 🔴⚪️",
    "Committed to Stanford!!!", "Proud to say she verbally committed to Baylor", "Signing day is here", "NLI signed ✍️",
    "Welcome to our newest signee",
    "Looking for 2027s and 2028s", "Class of 2027, send us your video", "#ClassOf2027 setters",
    "Great official visit this weekend",
    "Loved hosting 12 unofficial visitors", "Sign up for our summer camp", "Prospect day on June 15!",
    "Roster spots available for a middle",
    "We are looking for a talented setter", "she entered the transfer portal", "Recruiting never stops", "#recruiting",
    "2026 commits in the gym",
    "Preferred walk-on spots", "Earned a full scholarship", "ID clinic in March",
    "The showcase in Orlando is this week", "Tryouts are Monday",
    "Uncommitted 6'3\" outside", "Watch my highlight video", "We got a commit!",
    "Committed an error in set one, but committed to Duke today",
    "Special offer on tickets. Also: two new offers for our libero", "DECOMMITTED", "contact period opens",
    "grad transfer from Rice",
  ]) func recruitingIsFound(text: String) {
    #expect(RecruitingClassifier.standard.isRecruitingRelated(text))
  }

  @Test(arguments: [
    "", "Great win tonight", "She committed an error on match point", "We committed too many errors",
    "They committed 12 unforced errors", "No team commits fewer service errors",
    "We are committed to excellence", "committed to our community", "A commitment to winning",
    "Thank you for your commitment", "Special offer: 2 for 1", "Black Friday ticket offer",
    "Offer ends Sunday", "We offer our condolences to the family", "offering support to the victims",
    "This team has a lot to offer", "Job offer accepted",
    "Boot camp at 6 am", "training camp day 1", "Band camp", "camp out for tickets", "Happy camper",
    "Campus is beautiful today", "Blood clinic at the arena",
    "She put on a clinic tonight", "Combine with the app", "The military recruiters visited",
    "recruiting volunteers for the match", "Title prospects look good for them? Title prospects!",
    "Class of 2020 reunion", "Autograph signing day", "verbally abused", "Scholarship fund dinner",
    "Talent showcase at 8", "A night to showcase our seniors",
    "@recruiting @offers", "https://example.com/recruiting/offer", "coffered", "encampment", "an office visit",
    "Official ball of the visit Tulsa classic",
  ]) func falseFriendsAreIgnored(text: String) {
    #expect(RecruitingClassifier.standard.phrase(in: text) == nil)
  }

  @Test func thePhraseIsReported() {
    #expect(RecruitingClassifier.standard.phrase(in: "See our Class of 2027!") == "class of 2027")
    #expect(RecruitingClassifier.standard.phrase(in: "The coach’s “official visit” today") == "official visit")
  }

  @Test func patternsAreReadAsDocumented() {
    let classifier = RecruitingClassifier(recruiting: ["a|b ? c", "n #", "y20##"], falseFriends: ["x a"])
    for text in ["a x c", "b 1 c", "n 15", "y2031"] { #expect(classifier.isRecruitingRelated(text), "\(text)") }
    for text in ["a c", "c x c", "n x", "y203", "y20311", "y20x1", "a"] {
      #expect(!classifier.isRecruitingRelated(text), "\(text)")
    }
    // The phrase has words outside of the false friend.
    #expect(classifier.isRecruitingRelated("x a y c"))
  }

  @Test func longTextsAreRead() {
    let text = String(repeating: "great team day ", count: 6_000)
    #expect(!RecruitingClassifier.standard.isRecruitingRelated(text))
    #expect(RecruitingClassifier.standard.isRecruitingRelated(text + "offer"))
  }
}
