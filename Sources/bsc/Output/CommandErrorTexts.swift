import ClipModel

// MARK: The program

extension ErrorText {
  static let unexpected = ErrorText("error.unexpected", "cannot continue", "{reason}", .unexpected)
  static let interrupted = ErrorText("error.interrupted", "stopped", "interrupted", .interrupted)
  static let noMessage = ErrorText(
    "error.no-message", "cannot finish", "the command ended with exit code {status} and no message", .unexpected)
  static let unknownCommand = ErrorText(
    "usage.unknown-command", "cannot run \"{command}\"", "there is no such command", .usage)
  static let dashedFile = ErrorText(
    "usage.dashed-file", "cannot run \"{command}\"",
    "{file} exists, but a name that starts with a dash is read as an option",
    .usage)
  static let wrongArguments = ErrorText("usage.arguments", "cannot run \"{command}\"", "{reason}", .usage)
  static let noTerminal = ErrorText("usage.no-terminal", "cannot ask", "{option} needs a terminal", .usage)
  static let resultNotWritten = ErrorText("output.result", "cannot write the result", "{reason}", .inputOutput)
}

// MARK: Inputs

extension ErrorText {
  static let nameNotUTF8 = ErrorText(
    "source.name-not-utf8", "cannot read {file}", "its name is not UTF-8, and cannot be given on a command line",
    .noInput)
  static let listNotUTF8 = ErrorText("source.list-not-utf8", "cannot read {list}", "entry {entry} is not UTF-8", .usage)
  static let reportMissing = ErrorText(
    "batch.report-missing", "cannot show the report {file}", "there is no such file", .noInput)
  static let reportNotOfBatch = ErrorText(
    "batch.report-folder", "cannot show the report {file}", "no batch wrote its results to this folder", .noInput)
  static let failedBefore = ErrorText(
    "batch.failed-before", "cannot compress {file}", "it failed in an earlier run: {reason}", .unjudged)
}

// MARK: Outputs

extension ErrorText {
  static let noColors = ErrorText("output.no-colors", "cannot show the picture", "this terminal has no colors", .usage)
}

// MARK: Shares, jobs and highlights

extension ErrorText {
  static let metadataRequired = ErrorText(
    "share.metadata-required", "cannot share without metadata", "the backend accepts only rallies that the app found",
    .usage)
  static let noPostsAtMux = ErrorText(
    "share.no-posts", "cannot share clips together", "the backend mux has videos, not highlights", .usage)
  static let onlyMetadata = ErrorText(
    "share.only-metadata", "cannot share {file}", "it is rally metadata, and the command names no clip", .usage)
  static let refusedByRule = ErrorText("clip.refused", "cannot compress {file}", "{message} [{rule}]", .rejected)
  static let highlightNotYours = ErrorText(
    "highlight.not-yours", "cannot {verb} the highlight {highlight}", "you have no highlight with this id", .noInput)
  static let highlightNotServed = ErrorText(
    "highlight.not-served", "cannot open {highlight} in the browser",
    "the local backend's pages exist only while bsc serve runs", .remote)
  static let deletionUnconfirmed = ErrorText(
    "highlight.delete-unconfirmed", "cannot delete {highlight}",
    "deleting cannot be undone, and there is no terminal to ask on",
    .usage)
  static let captionTooLong = ErrorText(
    "highlight.caption-too-long", "cannot edit {highlight}", "the caption has {count} characters, the limit is {limit}",
    .rejected)
  static let noUploadURL = ErrorText("upload.no-url", "cannot upload {file}", "no upload URL was given", .usage)
  static let wrongUploadURL = ErrorText(
    "upload.bad-url", "cannot upload {file}", "the upload URL is not an http or https URL", .usage)
  static let exposedUploadURL = ErrorText(
    "upload.exposed-url", "cannot read the upload's address", "on the command line every account can see it", .usage)
}

// MARK: Backends, accounts and settings

extension ErrorText {
  static let alreadyServing = ErrorText(
    "backend.already-serving", "cannot serve with {options}",
    "a local backend without these options already runs at {url}", .locked)
  static let tokenWithoutHost = ErrorText(
    "backend.token-without-host", "cannot serve", "a token is for other machines, and only this machine can connect",
    .usage)
  static let noTokenFile = ErrorText("backend.no-token-file", "cannot serve", "there is no file {path}", .noInput)
  static let noToken = ErrorText("backend.no-token", "cannot serve on {host}", "other machines need a token", .usage)
  static let weakToken = ErrorText(
    "backend.weak-token", "cannot serve on {host}", "the token is too short or has other characters", .usage)
  static let noPassword = ErrorText("account.no-password", "cannot sign in", "there is no password", .usage)
  static let otherAccount = ErrorText(
    "account.other", "cannot delete the account of {account}", "{current} is signed in", .usage)
  static let accountDeletionUnconfirmed = ErrorText(
    "account.delete-unconfirmed", "cannot delete the account {account}", "there is no terminal to ask on", .usage)
  static let noRule = ErrorText("usage.unknown-rule", "cannot explain {rule}", "there is no such rule", .usage)
}
