import GRDB

/// The tables of words that searches read. Triggers keep them current.
enum SearchTables {
  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE highlight_words (
          highlight_id TEXT NOT NULL REFERENCES highlights (id) ON DELETE CASCADE, word TEXT NOT NULL,
          PRIMARY KEY (highlight_id, word)) WITHOUT ROWID;
        CREATE INDEX highlight_words_word ON highlight_words (word, highlight_id);
        CREATE TABLE profile_words (
          profile_id TEXT NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, word TEXT NOT NULL,
          PRIMARY KEY (profile_id, word)) WITHOUT ROWID;
        CREATE INDEX profile_words_word ON profile_words (word, profile_id);
        CREATE TABLE search_terms (term TEXT PRIMARY KEY NOT NULL) WITHOUT ROWID;
        INSERT INTO highlight_words SELECT h.id, w.value FROM highlights AS h, \(words(ofHighlight: "h")) AS w;
        INSERT INTO profile_words SELECT p.id, w.value FROM profiles AS p, \(words(ofProfile: "p")) AS w;
        INSERT OR IGNORE INTO search_terms \(terms("profile_words", "profile_id", isPublic("profile_id")));
        INSERT OR IGNORE INTO search_terms \(terms("highlight_words", "highlight_id", """
          EXISTS (SELECT 1 FROM highlights AS h
            WHERE h.id = highlight_id AND h.privacy_level = 'public' AND \(isPublic("h.author_id")))
          """));
        """)
    for event in ["INSERT", "UPDATE OF caption, tags, privacy_level"] {
      try db.execute(sql: highlightTrigger(event))
    }
    for event in ["INSERT", "UPDATE OF display_name, team_name, privacy_level"] {
      try db.execute(sql: profileTrigger(event))
    }
  }

  private static func words(ofHighlight row: String) -> String {
    "json_each(caption_words(\(row).caption, \(row).tags))"
  }

  private static func words(ofProfile row: String) -> String {
    "json_each(search_words(\(row).display_name || ' ' || coalesce(\(row).team_name, '')))"
  }

  private static func isPublic(_ profile: String) -> String {
    "EXISTS (SELECT 1 FROM profiles AS p WHERE p.id = \(profile) AND p.privacy_level = 'public')"
  }

  /// Returns a statement that selects the words of rows as terms, which are the words that a misspelled word can mean.
  /// Words of texts that aren't public, or of people who aren't, are not included.
  private static func terms(_ table: String, _ key: String, _ condition: String) -> String {
    "SELECT word FROM \(table) WHERE length(word) > 2 AND substr(word, 1, 1) <> '#' AND \(condition)"
  }

  private static func highlightTrigger(_ event: String) -> String {
    """
    CREATE TRIGGER highlights_words_\(event.prefix(6).lowercased()) AFTER \(event) ON highlights
    BEGIN
      DELETE FROM highlight_words WHERE highlight_id = NEW.id;
      INSERT INTO highlight_words SELECT NEW.id, w.value FROM \(words(ofHighlight: "NEW")) AS w;
      INSERT OR IGNORE INTO search_terms \(terms("highlight_words", "highlight_id", """
        highlight_id = NEW.id AND NEW.privacy_level = 'public' AND \(isPublic("NEW.author_id"))
        """));
    END
    """
  }

  private static func profileTrigger(_ event: String) -> String {
    """
    CREATE TRIGGER profiles_words_\(event.prefix(6).lowercased()) AFTER \(event) ON profiles
    BEGIN
      DELETE FROM profile_words WHERE profile_id = NEW.id;
      INSERT INTO profile_words SELECT NEW.id, w.value FROM \(words(ofProfile: "NEW")) AS w;
      INSERT OR IGNORE INTO search_terms \(terms("profile_words", "profile_id", """
        profile_id = NEW.id AND NEW.privacy_level = 'public'
        """));
      INSERT OR IGNORE INTO search_terms \(terms("highlight_words", "highlight_id", """
        NEW.privacy_level = 'public' AND highlight_id IN (
          SELECT id FROM highlights WHERE author_id = NEW.id AND privacy_level = 'public')
        """));
    END
    """
  }
}
