package import ClipModel

/// What can be wrong with a request: its inputs, its outputs, and the jobs and highlights that it names.
extension ErrorText {
  package static let address = ErrorText(
    "source.address", "cannot read (an address)", "bsc works on files of this machine", .noInput)
  package static let folderAsClip = ErrorText(
    "source.folder", "cannot share {file}", "it is a folder, and each clip becomes a separate highlight", .noInput)
  package static let noVideos = ErrorText("source.no-videos", "cannot {verb} {file}", "there is no video in it", .usage)
  package static let noSelectedVideos = ErrorText(
    "source.no-selected-videos", "cannot {verb} {file}", "no video in it is selected", .usage)
  package static let onlyResults = ErrorText(
    "source.only-results", "cannot {verb} {file}", "it contains only results of an earlier run", .usage)
  package static let noFolder = ErrorText("source.no-folder", "cannot watch {file}", "there is no such folder", .usage)
  package static let emptyFile = ErrorText("source.empty", "cannot {verb} {file}", "the file is empty", .usage)
  package static let tooSlow = ErrorText(
    "source.timeout", "cannot judge {file}", "it takes longer than {seconds} s", .unjudged)
  package static let notBatchFolder = ErrorText(
    "batch.no-results", "cannot read {file}", "no batch wrote its results there", .noInput)
  package static let notBatchReport = ErrorText(
    "batch.bad-report", "cannot read {file}", "line {line} is not a record of a batch", .usage)
  package static let captions = ErrorText("share.captions", "cannot use the captions in {list}", "{reason}", .usage)
  package static let outputAddress = ErrorText(
    "output.address", "cannot write to (an address)", "bsc {verb} writes files on this machine", .usage)
  package static let report = ErrorText("output.report", "cannot write the report {report}", "{reason}", .usage)
  package static let outputNotMP4 = ErrorText(
    "output.not-mp4", "cannot write {output}", "the result is an MP4 file", .usage)
  package static let outputNamedLikeVideo = ErrorText(
    "output.named-like-video", "cannot write {output}", "it is named like a video, but several results need a folder",
    .usage)
  package static let outputOccupied = ErrorText(
    "output.occupied", "cannot write {output}", "{reason}", .usage)
  package static let outputIsInput = ErrorText(
    "output.is-input", "cannot write {output}", "it is the file that is read", .usage)
  package static let outputIsOtherInput = ErrorText(
    "output.is-other-input", "cannot {verb} {file}", "{output} is also a file to {verb}", .usage)
  package static let sameOutput = ErrorText("output.same", "cannot {verb} {file}", "both would become {output}", .usage)
  package static let sameOutputOfMany = ErrorText(
    "output.same-in-batch", "cannot {verb} {file}", "another file would become {output} too", .unjudged)
  package static let outputFolder = ErrorText("output.folder", "cannot write {output}", "{reason}", .usage)
  package static let severalPictures = ErrorText(
    "output.several-pictures", "cannot write {output}", "{kinds} are several pictures", .usage)
  package static let wrongPictureName = ErrorText(
    "output.picture-name", "cannot write {output}", "the result is a {format} file, and the name has another ending",
    .usage)
  package static let indexOverMetadata = ErrorText(
    "output.index-over-metadata", "cannot write {output}", "its index would replace the clip's rally metadata", .usage)
  package static let replacedByParent = ErrorText(
    "replace.by-parent", "cannot replace in {folder}", "its sources were replaced before, as a part of {parent}", .usage
  )
  package static let replacedSeparately = ErrorText(
    "replace.separately", "cannot replace in {folder}", "sources in it were replaced before, in a separate run", .usage)
  package static let nothingReplaced = ErrorText(
    "undo.nothing", "cannot undo in {folder}", "no batch replaced anything there", .noInput)
  package static let undoAbove = ErrorText(
    "undo.above", "cannot undo in {folder}", "its sources are in the trash of {parent}", .noInput)
  package static let notSalvageable = ErrorText(
    "cut.not-salvageable", "cannot process {file}",
    "the match is damaged there, and nothing of the rally can be saved ({reason})", .rejected)
  package static let cutLocked = ErrorText(
    "cut.locked", "cannot cut into {folder}", "another bsc cut process is using it", .locked)
  package static let sameClips = ErrorText(
    "share.same-clips", "cannot share the clips together", "{file} is the same clip as {other}", .usage)
  package static let jobSourceGone = ErrorText("job.source-gone", "cannot continue with {file}", "{reason}", .noInput)
  package static let jobOfOtherBackend = ErrorText(
    "job.other-backend", "cannot {verb} {file}", "its job belongs to the backend {backend}, not {current}", .usage)
  package static let jobsOfOtherBackend = ErrorText(
    "job.backend-not-selected", "cannot resume {jobs} of the backend {backend}",
    "the settings select the backend {current}",
    .notConfigured)
  package static let highlightNotFound = ErrorText(
    "highlight.not-found", "cannot find the highlight {highlight}", "there is none with this id", .noInput)
  package static let highlightShort = ErrorText(
    "highlight.short-id", "cannot find {highlight}", "an id needs at least four characters", .usage)
  package static let highlightAmbiguous = ErrorText(
    "highlight.ambiguous", "cannot find {highlight}", "{count} highlights have an id that starts with this", .usage)
  package static let supabaseNotSet = ErrorText(
    "settings.supabase", "cannot use Supabase", "{setting} is not set", .notConfigured)
  package static let muxNotSet = ErrorText("settings.mux", "cannot use Mux", "{settings} not set", .notConfigured)
  package static let backendSilent = ErrorText(
    "backend.silent", "cannot reach the local backend", "a server holds its folder and does not answer", .remote)
  package static let backendUnsupported = ErrorText(
    "backend.unsupported", "cannot do this on the backend {backend}", "the backend does not support it", .notConfigured)
  package static let backendTimeout = ErrorText(
    "backend.timeout", "cannot reach the backend", "no answer within {seconds} seconds", .remote)
}
