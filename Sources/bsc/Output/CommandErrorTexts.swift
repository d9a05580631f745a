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
    "the file {file} exists, but names that start with a dash are read as options", .usage)
  static let wrongArguments = ErrorText("usage.arguments", "cannot run \"{command}\"", "{reason}", .usage)
  static let noTerminal = ErrorText(
    "usage.no-terminal", "cannot ask for confirmation", "{option} requires a terminal", .usage)
  static let resultNotWritten = ErrorText("output.result", "cannot write the result", "{reason}", .inputOutput)
  static let noColors = ErrorText(
    "output.no-colors", "cannot show the picture", "this terminal doesn't support colors", .usage)
}

// MARK: Inputs

extension ErrorText {
  static let nameNotUTF8 = ErrorText(
    "source.name-not-utf8", "cannot read {file}",
    "its name is not UTF-8, so the file cannot be specified on the command line",
    .noInput)
  static let listNotUTF8 = ErrorText(
    "source.list-not-utf8", "cannot read {list}", "entry {entry} is not valid UTF-8", .usage)
  static let failedBefore = ErrorText(
    "batch.failed-before", "cannot compress {file}", "the file failed in an earlier run: {reason}", .unjudged)
}

// MARK: Shares, jobs and highlights

extension ErrorText {
  static let onlyMetadata = ErrorText(
    "share.only-metadata", "cannot share {file}", "the file contains rally metadata, but no clip was specified", .usage)
  static let refusedByRule = ErrorText("clip.refused", "cannot compress {file}", "{message} [{rule}]", .rejected)
  static let highlightNotYours = ErrorText(
    "highlight.not-yours", "cannot {verb} highlight {highlight}", "you have no highlight with this ID", .noInput)
  static let highlightNotServed = ErrorText(
    "highlight.not-served", "cannot open {highlight} in the browser",
    "the local backend's pages are available only while bsc serve is running", .remote)
  static let deletionUnconfirmed = ErrorText(
    "highlight.delete-unconfirmed", "cannot delete {highlight}",
    "deletion cannot be undone, and asking for confirmation requires a terminal", .usage)
  static let trimUnconfirmed = ErrorText(
    "highlight.trim-unconfirmed", "cannot trim {highlight}",
    "trimming cannot be undone, and asking for confirmation requires a terminal", .usage)
  static let trimOutside = ErrorText(
    "highlight.trim-outside", "cannot trim {highlight}", "the part is outside the video", .usage)
  static let trimLength = ErrorText(
    "highlight.trim-length", "cannot trim {highlight}",
    "the result would last {seconds} s, but a highlight lasts {least} to {most} s", .usage)
  static let noPollOption = ErrorText(
    "social.no-poll-option", "cannot vote for option {option}", "the poll has {count} options", .usage)
  static let noSyncTokenText = ErrorText(
    "recruiting.no-token", "cannot store the token", "no token was entered", .usage)
  static let recruitingUnconfirmed = ErrorText(
    "recruiting.unconfirmed", "cannot change {subject}", "asking for confirmation requires a terminal", .usage)
  static let noUploadURL = ErrorText("upload.no-url", "cannot upload {file}", "no upload URL was specified", .usage)
  static let wrongUploadURL = ErrorText(
    "upload.bad-url", "cannot upload {file}", "the upload URL is not an http or https URL", .usage)
  static let exposedUploadURL = ErrorText(
    "upload.exposed-url", "cannot read the upload URL",
    "other users of this machine can see command arguments", .usage)
}

// MARK: Backends, accounts and settings

extension ErrorText {
  static let alreadyServing = ErrorText(
    "backend.already-serving", "cannot serve with {options}",
    "a local backend without these options is already running at {url}", .locked)
  static let tokenWithoutHost = ErrorText(
    "backend.token-without-host", "cannot serve",
    "a token is required only for other machines, but only this machine can connect",
    .usage)
  static let noTokenFile = ErrorText(
    "backend.no-token-file", "cannot serve", "the file {path} does not exist", .noInput)
  static let noToken = ErrorText(
    "backend.no-token", "cannot serve on {host}", "connections from other machines require a token", .usage)
  static let weakToken = ErrorText(
    "backend.weak-token", "cannot serve on {host}",
    "the token has fewer than {length} characters, or contains characters other than letters, digits, - and _", .usage)
  static let noPassword = ErrorText("account.no-password", "cannot sign in", "no password was entered", .usage)
  static let otherAccount = ErrorText(
    "account.other", "cannot delete the account {account}", "the signed-in account is {current}", .usage)
  static let accountDeletionUnconfirmed = ErrorText(
    "account.delete-unconfirmed", "cannot delete the account {account}",
    "asking for confirmation requires a terminal", .usage)
  static let noRule = ErrorText("usage.unknown-rule", "cannot explain {rule}", "there is no such rule", .usage)
}
