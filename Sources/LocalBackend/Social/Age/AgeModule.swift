import GRDB
import Hummingbird

extension ServerModule {
  /// The module for the ages of accounts. It refuses children below a minimum age, and protects accounts below a second
  /// age.
  static let age = ServerModule(
    name: "age",
    migrations: [Migration(number: 8, title: "ages", run: AgeRules.createTables)],
    functions: [
      RPCFunction(name: "age_rules", answer: .response(AgeRules.read)),
      RPCFunction(
        name: "set_birth_date", arguments: ["born"], isReadOnly: false, answer: .response(AgeRules.setBirthDate)),
    ])
}

/// The ages that accounts must have, and the dates of birth. Clients can read neither table.
enum AgeRules {
  static func createTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE age_rules (
          is_only BOOLEAN PRIMARY KEY NOT NULL DEFAULT TRUE CHECK (is_only),
          minimum_age INTEGER NOT NULL DEFAULT 13 CHECK (minimum_age BETWEEN 0 AND 21),
          protected_until INTEGER NOT NULL DEFAULT 18 CHECK (protected_until BETWEEN 0 AND 21));
        INSERT INTO age_rules DEFAULT VALUES;
        CREATE TABLE birth_dates (
          user_id TEXT PRIMARY KEY NOT NULL REFERENCES profiles (id) ON DELETE CASCADE, born TEXT NOT NULL,
          created_at TEXT NOT NULL);
        """)
  }

  /// The condition that a person born on `born` hasn't reached an age.
  /// - Parameter age: a column of `age_rules`.
  static func isYounger(_ born: String, than age: String) -> String {
    "date(\(born), '+' || (SELECT \(age) FROM age_rules) || ' years') > date(server_time())"
  }

  fileprivate static func read(_ call: RPCFunction.FunctionCall) async throws -> Response {
    let ages = try await call.rows.store.database.read { db in
      try String.fetchOne(
        db, sql: "SELECT json_object('minimum_age', minimum_age, 'protected_until', protected_until) FROM age_rules")
    }
    return .text((ages ?? "null").utf8, "application/json; charset=utf-8")
  }

  /// Sets the caller's date of birth, which can't be changed afterwards.
  static func setBirthDate(_ call: RPCFunction.FunctionCall) async throws -> Response {
    let user = try call.user()
    let born = try call.value("born", .date)
    let now = timestampText(call.rows.now())
    try await call.rows.store.database.write { db in try setBirthDate(born, of: user, at: now, db) }
    return Response(status: .noContent)
  }

  /// - Parameters:
  ///   - born: a value of the type `date`.
  ///   - time: the current time as text.
  /// - Throws: `PostgRESTFailure` with the code `PT403` if the person is too young, `PT409` if a date is already set, and
  ///   `23514` if a person can't have this date.
  static func setBirthDate(_ born: DatabaseValue, of user: String, at time: String, _ db: Database) throws {
    try requireAge(born, db)
    try db.execute(
      sql: "INSERT INTO birth_dates VALUES (?, ?, ?) ON CONFLICT DO NOTHING", arguments: [user, born, time])
    guard db.changesCount > 0 else {
      throw PostgRESTFailure(.conflict, "PT409", "the date of birth is already set")
    }
    try protectIfYoung(user, db)
  }

  /// - Throws: `PostgRESTFailure` with the code `PT403` if the person is too young, and `23514` if a person can't have this
  ///   date.
  static func requireAge(_ born: DatabaseValue, _ db: Database) throws {
    let isDate = try Bool.fetchOne(
      db, sql: "SELECT ?1 <= date(server_time()) AND ?1 >= date(server_time(), '-120 years')", arguments: [born])
    guard isDate == true else { throw PostgRESTFailure(.badRequest, "23514", "not a date of birth") }
    if try db.hasRow("SELECT 1 WHERE \(isYounger("?", than: "minimum_age"))", [born]) {
      throw PostgRESTFailure(.forbidden, "PT403", "too young for an account")
    }
  }

  /// Closes a protected account's profile to strangers, and removes its highlights from Discover.
  private static func protectIfYoung(_ user: String, _ db: Database) throws {
    guard try db.hasRow("SELECT 1 WHERE \(RowRules.isProtected("?1"))", [user]) else { return }
    try db.execute(
      sql: "UPDATE profiles SET privacy_level = 'followers_only' WHERE id = ? AND privacy_level = 'public'",
      arguments: [user])
    try db.execute(
      sql: """
        UPDATE highlight_scores SET score = NULL
        WHERE highlight_id IN (SELECT id FROM highlights WHERE author_id = ?)
        """, arguments: [user])
  }
}

/// The conditions for protected accounts. The parameters are SQL expressions for account IDs.
extension RowRules {
  /// Whether an account is protected. Accounts without a date of birth are not.
  static func isProtected(_ person: String) -> String {
    """
    EXISTS (SELECT 1 FROM birth_dates AS pb
      WHERE pb.user_id = \(person) AND \(AgeRules.isYounger("pb.born", than: "protected_until")))
    """
  }

  /// Whether an account is protected from the caller, who is a stranger.
  static func isProtected(_ person: String, from viewer: String) -> String {
    """
    (\(isProtected(person)) AND \(person) IS NOT \(viewer) AND NOT EXISTS (
      SELECT 1 FROM follows AS pf WHERE pf.follower_id = \(viewer) AND pf.following_id = \(person)))
    """
  }

  /// Whether the caller can find a profile without knowing it.
  static func canFind(_ person: String, _ viewer: String) -> String {
    "(\(canSeeProfile(person, viewer)) AND NOT \(isProtected(person, from: viewer)))"
  }

  /// Whether a person can write to another one, in a comment or a mention.
  static func canWrite(to person: String, from writer: String) -> String {
    """
    (\(person) = \(writer) OR NOT \(isProtected(person)) OR EXISTS (
      SELECT 1 FROM follows AS wf WHERE wf.follower_id = \(person) AND wf.following_id = \(writer)))
    """
  }

  /// The condition that the caller can write to the author of the row's highlight.
  static let mayWriteToAuthor: Condition = { row, viewer in
    """
    EXISTS (SELECT 1 FROM highlights AS wh
      WHERE wh.id = \(row).highlight_id AND \(canWrite(to: "wh.author_id", from: viewer)))
    """
  }
}
