#if Recruiting
package import ClipModel

extension ErrorText {
  static let noFamily = ErrorText(
    "recruiting.no-family", "cannot find your family", "the account is not a member of a family", .notConfigured)
  static let severalFamilies = ErrorText(
    "recruiting.several-families", "cannot choose a family", "the account is a member of {count} families: {names}",
    .usage)
  static let importSyntax = ErrorText("recruiting.import-syntax", "cannot import {file}", "{reason}", .noInput)
  static let noShareURL = ErrorText(
    "recruiting.no-base-url", "cannot send the highlight", "the address at which coaches open links is not set",
    .notConfigured)
  static let sendingLocked = ErrorText(
    "recruiting.sending-locked", "cannot send the highlight",
    "another bsc process is still sending a highlight after one minute", .locked)
  static let noSyncToken = ErrorText(
    "recruiting.no-sync-token", "cannot sync the posts", "there is no token for X or Instagram", .notConfigured)
  static let nothingToSync = ErrorText(
    "recruiting.no-handles", "cannot sync the posts", "no coach or school has a handle", .noInput)
  package static let syncFailed = ErrorText(
    "recruiting.sync-failed", "cannot sync the posts", "none of the {count} handles could be read", .remote)
}
#endif
