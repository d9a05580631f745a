package import ClipModel

// MARK: Sources and shares

extension ErrorText {
  static let renewalLocked = ErrorText(
    "account.renewal-locked", "cannot renew the session", "another bsc process is still renewing the session", .locked)
  static let videoMissing = ErrorText(
    "export.no-file", "cannot download the video", "the server responded with {status}", .unjudged)
  static let videoFailed = ErrorText("export.failed", "cannot download the video", "{reason}", .remote)
  static let sourceChanging = ErrorText(
    "source.changing", "cannot process {file}", "the file changed during processing", .rejected)
  static let sourceMissing = ErrorText(
    "source.missing", "cannot resume {file}", "{kind} cannot be read: {reason}", .noInput)
  static let sourceChanged = ErrorText(
    "source.changed", "cannot resume {file}", "{kind} has changed since the job was created", .rejected)
  package static let outputDiskFull = ErrorText(
    "output.disk-full", "cannot {operation}", "{disk} is full: {needed} required, {free} available", .inputOutput)
  static let jobDiskFull = ErrorText(
    "job.disk-full", "cannot {operation}", "{disk} is full: {needed} required, {free} available", .inputOutput)
  static let appFileMissing = ErrorText(
    "source.no-app-file", "cannot find the app's {kind}", "{reason}, and there is no {names} in {folder}", .noInput)
  static let appFileDamaged = ErrorText("source.app-file-damaged", "cannot read {file}", "{reason}", .rejected)
  static let cutAfterEnd = ErrorText(
    "cut.after-end", "cannot cut {file}", "the cut starts after the end of the clip, which is {seconds} s long", .usage)
  static let noRallies = ErrorText(
    "cut.no-metadata", "cannot cut {file}", "there is no rally metadata: {sidecar} is not in the match's folder",
    .noInput)
  static let cutMetadataChanged = ErrorText(
    "cut.metadata-changed", "cannot write the metadata of rally {rally}", "the match's metadata has changed", .noInput)
  static let postIncomplete = ErrorText(
    "share.post-incomplete", "cannot resume a post with several clips",
    "one of the clips was canceled, rejected or deleted, so the other clips were canceled too", .rejected)
  static let metadataRequired = ErrorText(
    "share.metadata-required", "cannot share without metadata",
    "this backend accepts only rallies with metadata from the app", .usage)
  static let noPostsAtMux = ErrorText(
    "share.no-posts", "cannot share clips together", "the mux backend supports videos, but not highlights", .usage)
  package static let postRefused = ErrorText(
    "share.post-refused", "cannot share {clips} clips together", "the rules reject {refused} of them", .rejected)
  static let uploadLocked = ErrorText(
    "upload.locked", "cannot upload {file}", "{holder} is already using this URL", .locked)
  static let uploadOtherFile = ErrorText(
    "upload.other-file", "cannot resume {file}", "an upload to this URL was started with a different file", .rejected)
}

// MARK: Jobs and their journal

extension ErrorText {
  static let registryLocked = ErrorText(
    "job.registry-locked", "cannot create a job", "another bsc process has been creating a job for 10 seconds", .locked)
  static let jobNotFound = ErrorText(
    "job.not-found", "cannot {operation} {prefix}", "there is no job with this ID", .noInput)
  static let jobAmbiguous = ErrorText(
    "job.ambiguous", "cannot {operation} {prefix}", "{count} job IDs start with these characters", .usage)
  static let jobLocked = ErrorText("job.locked", "cannot access job {job}", "{holder} is using this job", .locked)
  static let jobUnreadable = ErrorText(
    "job.unreadable", "cannot read job {job} ({path})", "this version of bsc does not support the job's format",
    .unexpected)
  static let jobFinished = ErrorText("job.finished", "cannot cancel {job}", "{subject} is {state}", .usage)
  static let postRegistered = ErrorText(
    "job.post-registered", "cannot cancel {job}", "the job's post is {state}", .usage)
  static let jobUploaded = ErrorText(
    "job.uploaded", "cannot cancel {job}", "the backend already has the complete clip", .usage)
  static let jobForgotten = ErrorText(
    "job.forgotten", "cannot cancel {job}", "another bsc process has just deleted the job", .usage)
  static let journalNewer = ErrorText(
    "journal.newer", "cannot open the journal {path}", "the journal was written by a newer version of bsc",
    .notConfigured)
  static let journalOnNetwork = ErrorText(
    "journal.network-file-system", "cannot open the journal {path}",
    "the journal is on a network file system, where SQLite's write-ahead log is unsafe", .notConfigured)
  static let journalDamaged = ErrorText(
    "journal.damaged", "{what}", "the journal is damaged ({reason})", .inputOutput)
  static let journalDiskFull = ErrorText(
    "journal.disk-full", "{what}", "the disk that contains {path} is full", .inputOutput)
  static let journalUnusable = ErrorText("journal.io-error", "{what}", "{reason} ({path})", .inputOutput)
  static let journalFailed = ErrorText("journal.failed", "{what}", "{reason}", .unexpected)
  static let journalBusy = ErrorText(
    "journal.busy", "{what}", "another bsc process has been writing to the journal for 10 seconds", .locked)
}

// MARK: Settings

extension ErrorText {
  static let noHome = ErrorText(
    "settings.no-home", "cannot find the folders for settings and state",
    "neither {variable} nor HOME is set to an absolute path", .notConfigured)
  static let settingUnknown = ErrorText(
    "settings.unknown", "cannot use the setting {setting} ({origin})", "there is no such setting", .notConfigured)
  static let settingInvalid = ErrorText(
    "settings.invalid-value", "cannot use {value} for {setting} ({origin})", "expected {expected}", .notConfigured)
  static let settingsNotUTF8 = settingsError("not-utf8", "the file is not valid UTF-8")
  static let settingsSyntax = settingsError("syntax", "line {line}, column {column}: {reason}")
  static let settingNotScalar = settingsError("not-a-value", "{setting} must be a string, a number, true or false")
  static let settingOfUser = settingsError(
    "project-scope",
    "a project's settings file must not contain {setting}, because it could send your clips to someone else")
  static let settingSecret = settingsError("secret", "{setting} is a secret and must not be stored in a settings file")
  static let settingOfRules = settingsError("rules-table", "rules must be in the [rules] table")
  static let settingNotEditable = settingsError(
    "cannot-edit", "bsc cannot change {setting} without changing other lines")
  static let ruleUnknown = ruleError("unknown-rule", "there is no rule named {rule}")
  static let ruleSeverity = ruleError("rule-severity", "\"{value}\" is not a valid severity")
  static let ruleWithoutBounds = ruleError("rule-without-bounds", "{rule} does not accept limits")
  static let ruleNumber = ruleError("rule-number", "\"{value}\" is not a valid number")
  static let ruleField = ruleError("rule-field", "a rule has no field \"{field}\"")
  static let ruleBounds = ErrorText(
    "settings.rule-bounds", "cannot use [rules.\"{rule}\"] ({path})",
    "the minimum must not be greater than the maximum", .notConfigured
  )

  private static func settingsError(_ reason: String, _ why: String) -> ErrorText {
    ErrorText("settings.\(reason)", "cannot use the settings in {path}", why, .notConfigured)
  }

  private static func ruleError(_ reason: String, _ why: String) -> ErrorText {
    ErrorText("settings.\(reason)", "cannot use {setting} ({origin})", why, .notConfigured)
  }
}

// MARK: Batches

extension ErrorText {
  static let batchLink = ErrorText(
    "batch.link", "cannot write to {folder}", "{path} is a symbolic link", .notConfigured)
  static let batchLocked = ErrorText(
    "batch.locked", "cannot write to {folder}", "another bsc process is using this folder", .locked)
  static let batchOtherSplit = ErrorText(
    "batch.other-split", "cannot write to {folder}",
    "another bsc process is using this folder with different split settings",
    .locked)
  static let batchNotFinished = ErrorText(
    "batch.not-finished", "cannot report on {file}", "an earlier run did not finish processing this file",
    .unexpected)
  static let twinChanged = ErrorText(
    "batch.twin-changed", "cannot write {output}", "{twin}, which has the same source, has changed", .inputOutput)
  static let shardUnnumbered = ErrorText(
    "batch.shard-unnumbered", "cannot use shard {shard}", "no environment variable contains the task number", .usage
  )
  static let shardOutOfRange = ErrorText(
    "batch.shard-out-of-range", "cannot use shard {shard}",
    "the index must be less than {count}; the first shard is 0", .usage)
  static let shardMalformed = ErrorText(
    "batch.shard-malformed", "cannot use shard {shard}", "a shard must have the form INDEX/COUNT, for example 2/4",
    .usage)
  static let replaceLink = ErrorText("replace.link", "cannot replace {file}", "the file is a symbolic link", .unjudged)
  static let replaceNameTooLong = ErrorText(
    "replace.name-too-long", "cannot replace {file}", "the result's name would be too long", .unjudged)
  static let replaceCannotSwap = ErrorText(
    "replace.cannot-swap", "cannot replace {file}", "the file cannot be moved to the trash in {root}: {reason}",
    .inputOutput)
  static let undoFailed = ErrorText("undo.failed", "cannot restore {file}", "{reason}", .unexpected)
  static let undoUnknownFile = ErrorText(
    "undo.unknown-file", "cannot restore {file}", "a file of unknown origin is at the original path", .unjudged)
  static let undoTrashChanged = ErrorText(
    "undo.trash-changed", "cannot restore {file}", "the file in the trash has changed", .unjudged)
  static let undoOccupied = ErrorText(
    "undo.occupied", "cannot restore {file}", "a different file is now at the original path", .unjudged)
}
