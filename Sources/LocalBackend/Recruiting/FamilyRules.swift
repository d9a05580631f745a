#if Recruiting
import ClipModel
import GRDB
import HTTPTypes
import Recruiting

/// The access conditions of a family. All rules of recruiting use them.
extension RowRules {
  /// The condition that the caller is a member of the row's family.
  /// - Parameters:
  ///   - role: the role that the caller must have, or `nil` for any.
  ///   - column: the column with the family's ID.
  static func isInFamily(as role: FamilyRole? = nil, _ column: String = "family_unit_id") -> Condition {
    { row, viewer in
      let isRole = role.map { " AND fm.role = '\($0.rawValue)'" } ?? ""
      return """
        \(row).\(column) IN (
          SELECT fm.family_unit_id FROM family_members AS fm WHERE fm.user_id = \(viewer)\(isRole))
        """
    }
  }

  /// The condition that a member did what the row describes, and is still a member.
  static func isOwnInFamily(_ column: String) -> Condition { allOf(isCaller(column), isInFamily()) }

  /// The condition that a member did what the row describes, or that the caller is a parent of the family.
  static func isOwnOrParents(_ column: String) -> Condition {
    { row, viewer in
      "((\(isOwnInFamily(column)(row, viewer))) OR \(isInFamily(as: .parent)(row, viewer)))"
    }
  }
}

extension Database {
  /// - Throws: 42501 if the account isn't a member with this role, also for families that don't exist.
  func requireMember(_ user: String, of family: DatabaseValue, as role: FamilyRole? = nil) throws {
    let isMember = try hasRow(
      "SELECT 1 FROM family_members WHERE family_unit_id = ?1 AND user_id = ?2 AND role = coalesce(?3, role)",
      [family, user, role?.rawValue])
    if isMember { return }
    let people = role.map { "members with the role \($0.rawValue)" } ?? "members of the family"
    throw PostgRESTFailure(.forbidden, "42501", "only \(people) may do this")
  }
}

extension RPCFunction.FunctionCall {
  /// Returns the value of an argument, which may be null, or the function's default if the argument is missing.
  func value(
    _ name: String, _ type: ColumnType, default fallback: DatabaseValue
  ) throws(PostgRESTFailure) -> DatabaseValue {
    body[name] == nil ? fallback : try optionalValue(name, type)
  }
}
#endif
