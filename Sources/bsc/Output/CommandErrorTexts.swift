import ClipModel

// MARK: The program

extension ErrorText {
  static let unexpected = ErrorText("error.unexpected", "cannot continue", "{reason}", .unexpected)
  static let noMessage = ErrorText(
    "error.no-message", "cannot finish", "the command ended with exit code {status} and no message", .unexpected)
  static let interrupted = ErrorText("error.interrupted", "stopped", "interrupted", .interrupted)
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
  static let address = ErrorText(
    "source.address", "cannot read (an address)", "bsc works on files of this machine", .noInput)
  static let nameNotUTF8 = ErrorText(
    "source.name-not-utf8", "cannot read {file}", "its name is not UTF-8, and cannot be given on a command line",
    .noInput)
  static let listNotUTF8 = ErrorText("source.list-not-utf8", "cannot read {list}", "entry {entry} is not UTF-8", .usage)
  static let folderAsClip = ErrorText(
    "source.folder", "cannot share {file}", "it is a folder, and each clip becomes a separate highlight", .noInput)
  static let noVideos = ErrorText("source.no-videos", "cannot {verb} {file}", "there is no video in it", .usage)
  static let noSelectedVideos = ErrorText(
    "source.no-selected-videos", "cannot {verb} {file}", "no video in it is selected", .usage)
  static let onlyResults = ErrorText(
    "source.only-results", "cannot {verb} {file}", "it contains only results of an earlier run", .usage)
  static let noFolder = ErrorText("source.no-folder", "cannot watch {file}", "there is no such folder", .usage)
  static let emptyFile = ErrorText("source.empty", "cannot {verb} {file}", "the file is empty", .usage)
  static let tooSlow = ErrorText(
    "source.timeout", "cannot judge {file}", "it takes longer than {seconds} s", .unjudged)
  static let notBatchFolder = ErrorText(
    "batch.no-results", "cannot read {file}", "no batch wrote its results there", .noInput)
  static let notBatchReport = ErrorText(
    "batch.bad-report", "cannot read {file}", "line {line} is not a record of a batch", .usage)
  static let reportMissing = ErrorText(
    "batch.report-missing", "cannot show the report {file}", "there is no such file", .noInput)
  static let reportNotOfBatch = ErrorText(
    "batch.report-folder", "cannot show the report {file}", "no batch wrote its results to this folder", .noInput)
  static let failedBefore = ErrorText(
    "batch.failed-before", "cannot compress {file}", "it failed in an earlier run: {reason}", .unjudged)
  static let captions = ErrorText("share.captions", "cannot use the captions in {list}", "{reason}", .usage)
}

// MARK: Outputs

extension ErrorText {
  static let outputAddress = ErrorText(
    "output.address", "cannot write to (an address)", "bsc {verb} writes files on this machine", .usage)
  static let report = ErrorText("output.report", "cannot write the report {report}", "{reason}", .usage)
  static let outputNotMP4 = ErrorText("output.not-mp4", "cannot write {output}", "the result is an MP4 file", .usage)
  static let outputNamedLikeVideo = ErrorText(
    "output.named-like-video", "cannot write {output}", "it is named like a video, but several results need a folder",
    .usage)
  static let outputOccupied = ErrorText(
    "output.occupied", "cannot write {output}", "{reason}", .usage)
  static let outputIsInput = ErrorText(
    "output.is-input", "cannot write {output}", "it is the file that is read", .usage)
  static let outputIsOtherInput = ErrorText(
    "output.is-other-input", "cannot {verb} {file}", "{output} is also a file to {verb}", .usage)
  static let sameOutput = ErrorText("output.same", "cannot {verb} {file}", "both would become {output}", .usage)
  static let sameOutputOfMany = ErrorText(
    "output.same-in-batch", "cannot {verb} {file}", "another file would become {output} too", .unjudged)
  static let outputFolder = ErrorText("output.folder", "cannot write {output}", "{reason}", .usage)
  static let severalPictures = ErrorText(
    "output.several-pictures", "cannot write {output}", "{kinds} are several pictures", .usage)
  static let wrongPictureName = ErrorText(
    "output.picture-name", "cannot write {output}", "the result is a {format} file, and the name has another ending",
    .usage)
  static let indexOverMetadata = ErrorText(
    "output.index-over-metadata", "cannot write {output}", "its index would replace the clip's rally metadata", .usage)
  static let noColors = ErrorText("output.no-colors", "cannot show the picture", "this terminal has no colors", .usage)
}

// MARK: Replacing and cutting

extension ErrorText {
  static let replacedByParent = ErrorText(
    "replace.by-parent", "cannot replace in {folder}", "its sources were replaced before, as a part of {parent}", .usage
  )
  static let replacedSeparately = ErrorText(
    "replace.separately", "cannot replace in {folder}", "sources in it were replaced before, in a separate run", .usage)
  static let nothingReplaced = ErrorText(
    "undo.nothing", "cannot undo in {folder}", "no batch replaced anything there", .noInput)
  static let undoAbove = ErrorText(
    "undo.above", "cannot undo in {folder}", "its sources are in the trash of {parent}", .noInput)
  static let notSalvageable = ErrorText(
    "cut.not-salvageable", "cannot process {file}",
    "the match is damaged there, and nothing of the rally can be saved ({reason})", .rejected)
  static let cutLocked = ErrorText(
    "cut.locked", "cannot cut into {folder}", "another bsc cut process is using it", .locked)
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
  static let sameClips = ErrorText(
    "share.same-clips", "cannot share the clips together", "{file} is the same clip as {other}", .usage)
  static let refusedByRule = ErrorText("clip.refused", "cannot compress {file}", "{message} [{rule}]", .rejected)
  static let jobSourceGone = ErrorText("job.source-gone", "cannot continue with {file}", "{reason}", .noInput)
  static let jobOfOtherBackend = ErrorText(
    "job.other-backend", "cannot {verb} {file}", "its job belongs to the backend {backend}, not {current}", .usage)
  static let jobsOfOtherBackend = ErrorText(
    "job.backend-not-selected", "cannot resume {jobs} of the backend {backend}",
    "the settings select the backend {current}",
    .notConfigured)
  static let highlightNotFound = ErrorText(
    "highlight.not-found", "cannot find the highlight {highlight}", "there is none with this id", .noInput)
  static let highlightShort = ErrorText(
    "highlight.short-id", "cannot find {highlight}", "an id needs at least four characters", .usage)
  static let highlightAmbiguous = ErrorText(
    "highlight.ambiguous", "cannot find {highlight}", "{count} highlights have an id that starts with this", .usage)
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
  static let supabaseNotSet = ErrorText(
    "settings.supabase", "cannot use Supabase", "{setting} is not set", .notConfigured)
  static let muxNotSet = ErrorText("settings.mux", "cannot use Mux", "{settings} not set", .notConfigured)
  static let backendSilent = ErrorText(
    "backend.silent", "cannot reach the local backend", "a server holds its folder and does not answer", .remote)
  static let backendUnsupported = ErrorText(
    "backend.unsupported", "cannot do this on the backend {backend}", "the backend does not support it", .notConfigured)
  static let backendTimeout = ErrorText(
    "backend.timeout", "cannot reach the backend", "no answer within {seconds} seconds", .remote)
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
