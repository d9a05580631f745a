package import ClipModel

/// The advice for each error, by error ID. Only this file, `RecruitingAdvice`, `FindingAdvice` and `DoctorAdvice` mention
/// commands and options in advice.
package enum Advice {
  /// Returns the advice for an error.
  /// - Returns: the text after `next:`; `nil` if there is no advice for the error.
  package static func nextStep(for explanation: Explanation) -> String? {
    findAdvice(for: explanation.id, explanation.facts, in: table)
  }

  /// Returns the advice for an ID and its facts from a table like `table`.
  static func findAdvice(for id: String, _ facts: [String: String], in table: [String: [String]]) -> String? {
    let variant = facts.map { "\(id)/\($0.key)=\($0.value)" }.sorted().compactMap { table[$0] }.first
    let templates = variant ?? table[id] ?? []
    return templates.lazy.compactMap { ErrorText.fillPlaceholders($0, facts) }.first
  }

  /// The advice templates for each error ID. `{file}` stands for a fact, and the first template whose facts are all
  /// known applies. A key `id/fact=value` applies only to this value of the fact, and takes precedence.
  package static let table: [String: [String]] = {
    let tables = [common, files, clips, outputs, shares, backends, recruiting, settings]
    let shared = Self.shared.flatMap { advice, ids in ids.map { ($0, [advice]) } }
    return Dictionary(uniqueKeysWithValues: tables.flatMap(\.self) + shared)
  }()

  /// Advice that several errors share, with the IDs of these errors.
  private static let shared: [String: [String]] = [
    "report this as a bug in bsc": ["error.unexpected", "error.no-message", "strip.verification-failed"],
    "run the same command again": [
      "file.changed", "clip.changed", "cut.metadata-changed", "batch.not-finished", "export.failed",
    ],
    "run \"bsc resume\" to continue where bsc stopped": [
      "error.interrupted/command=share", "error.interrupted/command=resume", "upload.unreachable",
      "upload.unknown-size-refused",
    ],
    "run the same command again to continue where bsc stopped": [
      "error.interrupted/command=compress", "error.interrupted/command=cut", "error.interrupted/command=upload",
      "upload.unreachable/sender=file", "upload.unknown-size-refused/sender=file",
    ],
    "check the path": ["file.not-found", "file.bad-path"],
    "use a different folder (-o), or replace the file with --force": ["file.exists/command=cut", "output.occupied"],
    "check the owner and permissions of the file and its folder (ls -l)": ["file.no-permission", "file.cannot-open"],
    "free up disk space, then run the same command again": [
      "file.disk-full", "output.disk-full", "backend.local-disk-full",
    ],
    "check the disk and its connection, then run the same command again": [
      "file.io-error", "file.system-error", "output.libav-error",
    ],
    "choose a video file (such as .mp4 or .mov)": ["source.empty", "clip.not-media"],
    "copy the file from the camera again": [
      "clip.cut-off", "clip.no-frames", "strip.cut-off", "strip.incomplete", "strip.truncated", "strip.damaged",
    ],
    "report this as a bug in bsc, and include the output of \"bsc probe\"": [
      "clip.verification-failed", "clip.conversion-failed",
    ],
    "run \"bsc compress\" or \"bsc share\" instead, which re-encode the video and audio": [
      "strip.unsupported-container", "strip.program-stream", "strip.track-unsupported", "strip.late-track",
      "strip.times-not-kept", "strip.packet-without-time", "strip.cannot-cut", "strip.cannot-remove", "strip.unjudged",
      "strip.unsupported-form",
    ],
    "choose a different folder with -o": ["output.is-input", "output.folder"],
    "write the files to different folders (-o)": ["output.same", "output.same-in-batch"],
    "choose a file from \"bsc compress --report jsonl=FILE\", or the folder that contains the results": [
      "batch.report-missing", "batch.report-folder",
    ],
    "finish that job (bsc resume {job}), cancel it (bsc jobs cancel {job}), or share both clips with --force": [
      "share.rival-job", "share.rival-post",
    ],
    "stop the unresponsive bsc process, then run the same command again": [
      "job.registry-locked", "account.renewal-locked",
    ],
    "run \"bsc jobs list --all\" to see all jobs": ["job.not-found", "job.ambiguous"],
    "run \"bsc resume\" without an ID to resume all unfinished jobs": [
      "job.not-found/operation=resume", "job.ambiguous/operation=resume",
    ],
    "request a new upload URL": [
      "upload.url-expired/sender=file", "upload.cancelled/sender=file", "upload.refused/sender=file",
    ],
    "free up disk space on the server, then run \"bsc resume\"": ["upload.server-disk-full", "backend.disk-full"],
    "run \"bsc resume\" to start a new upload": ["upload.refused", "highlight.upload-expired"],
    "run \"bsc resume\" to process the clip again": ["upload.source-changed", "upload.source-unreadable"],
    """
    set BSC_SERVE_TOKEN to a token of at least {length} letters, digits, - and _, or put the token in a file and \
    specify it with --token-file; "openssl rand -hex 16" generates a token
    """: ["backend.no-token", "backend.weak-token"],
    "run \"bsc login\"": ["account.session-expired", "account.not-signed-in"],
  ]

  private static let common: [String: [String]] = [
    "error.interrupted": ["run the same command again; bsc left no unfinished files"],
    "error.library-missing": ["install {library}, or build bsc again if you have installed a different version of it"],
    "usage.unknown-command": [
      "did you mean {nearest}? \"{parent} --help\" lists all commands", "\"{parent} --help\" lists all commands",
    ],
    "usage.dashed-file": ["specify the file as ./{file}"],
    "usage.arguments": ["{hint} for usage, run \"{command} --help\"", "for usage, run \"{command} --help\""],
    "usage.no-terminal": ["to preview the plan, use --dry-run instead"],
    "usage.unknown-rule": ["did you mean \"{nearest}\"?", "run \"bsc validate --list-rules\""],
  ]

  private static let files: [String: [String]] = [
    "file.no-folder": ["create the folder first"],
    "file.not-a-file": ["choose a regular file"],
    "file.not-a-file/command=cut": ["move the existing item elsewhere, or choose a different folder with -o"],
    "file.exists": ["choose a different name, or replace the existing file with --force"],
    "file.too-big-for-disk": ["write to a different disk, or increase ulimit -f"],
    "file.read-only": ["choose a different folder"],
    "file.name-too-long": ["choose a shorter file name"],
    "file.too-many-open": ["run fewer parallel jobs (-j), or increase ulimit -n"],
    "file.changing": ["wait until no other program is writing to the file, then run the same command again"],
    "file.owner-not-kept": ["run the command as the file's owner, or write a copy elsewhere (-o)"],
    "file.foreign-owner": ["run bsc as the file's owner, or replace the file with your own"],
    "file.not-private": [
      "run \"chmod {permissions} {path}\"; if another user may have read the secret, replace it or sign in again"
    ],
    "file.name-not-utf8": ["rename the file, then run the same command again"],
    "file.too-big": ["check that you specified the correct file"],
    "file.not-a-folder": ["move the file elsewhere"],
    "source.address": ["download the video, then use the downloaded file"],
    "source.name-not-utf8": ["rename the file, or specify its folder instead"],
    "source.list-not-utf8": ["specify the file's folder instead"],
    "source.folder": ["specify the clips in the folder: bsc share {word}*.mp4"],
    "source.no-videos": ["choose a folder that contains .mp4 or .mov files"],
    "source.no-selected-videos": ["check the patterns of --include and --exclude"],
    "source.only-results": ["choose the folder that contains the source files, or a single file"],
    "source.no-folder": ["choose a folder that exists"],
    "source.timeout": ["increase the time limit with --timeout"],
    "source.changing": ["wait until no other program is writing to the file, then share it again with \"bsc share\""],
    "source.missing": ["restore the file at {path}, or cancel the job: bsc jobs cancel {job}"],
    "source.changed": ["restore the original file, or cancel the job (bsc jobs cancel {job}) and share the new file"],
    "source.no-app-file": ["export the selections from the app, or specify them with --selections FILE"],
    "source.no-app-file/kind=trims": ["export the trims from the app, or specify them with --trims-file FILE"],
    "source.app-file-damaged": ["export the file from the app again"],
  ]

  private static let clips: [String: [String]] = [
    "clip.refused": ["{advice}", "choose a different clip, or change the rule settings"],
    "clip.no-video": ["choose the original file from the camera"],
    "clip.damaged": ["copy the file from the camera again, or use --salvage to keep the intact part"],
    "clip.location-left": ["report this as a bug in bsc, and include the output of \"bsc audit\""],
    "clip.too-big": ["increase --max-size, select a part with --from and --to, or remove the audio with --mute"],
    "clip.animation-too-big": ["increase --animated-size, or shorten the animation with --length"],
    "clip.filter-missing": ["install libavfilter: apt-get install libavfilter-dev, or brew install ffmpeg"],
    "clip.libav-error": ["check the file with \"bsc probe\", or copy it from the camera again"],
    "strip.location-left": ["run \"bsc compress\" instead, and report this as a bug in bsc"],
    "strip.unknown-container": ["choose a video file"],
    "cut.after-end": ["choose an earlier time with --from"],
    "cut.no-metadata": ["export the metadata from the app, or specify it with --metadata FILE"],
    "cut.not-salvageable": ["copy the match from the camera again"],
    "cut.locked": ["wait until the other process has finished, or choose a different folder with -o"],
  ]

  private static let outputs: [String: [String]] = [
    "output.result": ["write the result to a different file or disk"],
    "output.address": ["choose a local file or folder, then upload the file with bsc upload"],
    "output.report": ["choose a different file"],
    "output.not-mp4": ["choose a file name that ends in .mp4"],
    "output.named-like-video": ["choose a folder: -o {folder}"],
    "output.is-other-input": ["choose a different output with -o"],
    "output.is-other-input/replacing=in-place": [
      "choose a different output with -o, or replace the files with --in-place"
    ],
    "output.several-pictures": ["to choose a folder, add / to the end of its name"],
    "output.picture-name": ["choose a file name that ends in {endings}"],
    "output.index-over-metadata": ["choose a different name"],
    "output.no-colors": ["write the picture to a file with -o, or select a protocol: --terminal blocks"],
    "replace.link": ["choose the file that the link points to"],
    "replace.name-too-long": ["rename the file to a shorter name"],
    "replace.cannot-swap": [
      "check the permissions of {folder}; if it's on another disk, run the command on {folder} alone"
    ],
    "replace.by-parent": ["choose {parent} instead, or undo the replacement there first: bsc batch undo {parent}"],
    "replace.separately": ["run the command on this folder alone: bsc compress --replace {folder}"],
    "undo.failed": ["look for the file in {trash}"],
    "undo.unknown-file": ["compare the file with {trash}"],
    "undo.trash-changed": ["check the file in the trash: {trash}"],
    "undo.occupied": ["move the existing file elsewhere, then run the undo again; the source file is at {trash}"],
    "undo.nothing": ["choose the folder that you specified for bsc compress --replace"],
    "undo.above": ["undo the replacement in the parent folder: bsc batch undo {parent} --include '{inside}/**'"],
    "batch.link": ["remove the symbolic link"],
    "batch.locked": ["wait until the other process has finished, or give each process a separate part with --shard"],
    "batch.other-split": ["wait until the other process has finished"],
    "batch.twin-changed": ["run the command again with --force"],
    "batch.shard-unnumbered": ["run the command as an array task, or specify the part: --shard 0/{count}"],
    "batch.shard-out-of-range": ["number the tasks from 0 to {last} (Slurm: --array=0-{last})"],
    "batch.shard-malformed": ["specify the part (starting at 0) and the part count: --shard 2/4 or --shard auto/4"],
    "batch.no-results": ["choose the folder that you specified with -o"],
    "batch.bad-report": ["choose a report that was written with --report jsonl=FILE"],
    "batch.failed-before": ["retry failed files with --retry-failed"],
  ]

  private static let shares: [String: [String]] = [
    "share.exists": [
      "edit the existing highlight (bsc highlights edit {highlight} {flags}), or share the clip again with --force",
      "share the clip again with --force",
    ],
    "share.export-exists": [
      "edit the existing highlight (bsc highlights edit {highlight} {flags}), or share the clip again with --force",
      "share the clip again with --force",
    ],
    "share.exists/coaches=other": ["send the existing highlight (bsc recruiting send {highlight} --to COACH)"],
    "share.export-exists/coaches=other": ["send the existing highlight (bsc recruiting send {highlight} --to COACH)"],
    "share.captions": ["write one line \"path,caption\" per clip; enclose captions with commas or quotes in quotes"],
    "share.metadata-required": ["specify the metadata with --metadata FILE"],
    "share.no-posts": ["share the clips without --together"],
    "share.only-metadata": ["specify the clips to share"],
    "share.same-clips": ["list each clip once"],
    "share.post-incomplete": ["share the clips together again"],
    "share.post-refused": [
      "share the clips again without the rejected ones, or share each clip separately (without --together)"
    ],
    "share.exists-at-mux": ["share the clip again with --force"],
    "share.backend-unreachable": ["run the same command again when the backend is reachable"],
    "job.disk-full": ["free up disk space, then run \"bsc resume\""],
    "job.locked": ["wait until the other process has finished, or stop that process and run \"bsc resume\""],
    "job.unreadable": ["run \"bsc jobs forget {job}\", then share the clip again"],
    "job.finished": ["to remove the job from the list, run \"bsc jobs forget {job}\""],
    "job.post-registered": ["to delete the highlight, run \"bsc highlights delete {highlight}\""],
    "job.uploaded": ["finish the job (bsc resume {job}), then delete the highlight: bsc highlights delete"],
    "job.uploaded/backend=mux": ["finish the job (bsc resume {job}), then delete the asset in Mux"],
    "job.forgotten": ["run \"bsc jobs list\" to see the other jobs"],
    "job.source-gone": ["restore the file and run \"bsc resume {job}\", or cancel the job: bsc jobs cancel {job}"],
    "job.other-backend": ["run the command with BSC_BACKEND={backend}"],
    "job.backend-not-selected": ["run BSC_BACKEND={backend} bsc resume"],
    "journal.newer": ["use the newer version of bsc, or set XDG_STATE_HOME to a different folder"],
    "journal.network-file-system": ["set XDG_STATE_HOME to a folder on a local disk"],
    "journal.damaged": ["move {path} elsewhere so that bsc creates a new journal, then share unfinished clips again"],
    "journal.disk-full": ["free up disk space, then run the command again; \"bsc jobs prune\" removes finished jobs"],
    "journal.io-error": ["check the disk, and the owner and permissions of the journal's folder (ls -ld)"],
    "journal.failed": ["run \"bsc doctor\"; if it finds no problems, report this error"],
    "journal.busy": ["wait until the other process has finished, or stop it, then run \"bsc resume\""],
    "upload.url-expired": ["run \"bsc resume\" to request a new upload URL"],
    "upload.server-disk-full/sender=file": ["free up disk space on the server, then run the same command again"],
    "upload.cancelled": ["share the clip again to publish it"],
    "upload.protocol-violation": ["run \"bsc resume\"; if the error occurs again, check the backend"],
    "upload.protocol-violation/sender=file": ["request a new upload URL; if the error occurs again, check the server"],
    "upload.content-mismatch": ["share the clip again"],
    "upload.content-mismatch/sender=file": ["request a new upload URL, then upload the file again"],
    "upload.source-changed/sender=file": ["wait until no other program is writing to the file, then request a new URL"],
    "upload.source-unreadable/sender=file": ["check the file, then run the same command again"],
    "upload.locked": ["wait until the other process has finished, or stop it"],
    "upload.other-file": ["upload the same file as before, or request a new upload URL"],
    "upload.no-url": ["specify a file that contains the URL: --url-file FILE"],
    "upload.bad-url": ["provide only the URL on a single line"],
    "upload.exposed-url": ["write the URL to a file for --url-file, or send the URL to stdin: --url-file -"],
    "highlight.exists": ["run \"bsc highlights list\" to see the highlight"],
    "highlight.uploaded": ["run \"bsc resume\""],
    "highlight.foreign": ["share the clip with --force to assign a new ID"],
    "highlight.clip-rejected": ["check the file with \"bsc validate\""],
    "highlight.backend-failed": ["fix the problem on the server (such as a full disk), then run \"bsc resume\""],
    "highlight.upload-cancelled": ["share the clip again to publish it"],
    "highlight.not-ready": ["run \"bsc resume\" to continue waiting"],
    "highlight.not-found": [
      "did you mean {nearest}? run \"bsc highlights list\" to see your highlights",
      "run \"bsc highlights list\" to see your highlights, or \"bsc social feed\" to see all highlights",
    ],
    "highlight.short-id": ["run \"bsc highlights list\" and specify more characters of the ID"],
    "highlight.ambiguous": ["run \"bsc highlights list\" and specify more characters of the ID"],
    "highlight.not-yours": ["run \"bsc whoami\" to see who is signed in"],
    "highlight.not-served": ["run \"bsc serve --open {highlight}\""],
    "highlight.delete-unconfirmed": ["confirm the deletion with --force"],
    "highlight.trim-unconfirmed": ["confirm the trim with --force"],
    "highlight.trim-length": ["change --from or --to"],
    "highlight.trim-outside": ["choose times within the video; \"bsc highlights list\" shows its duration"],
    "highlight.caption-too-long": ["shorten the caption"],
    "export.no-file": ["check that the video has static renditions, the only files that Mux keeps"],
  ]

  private static let backends: [String: [String]] = [
    "social.forbidden": ["check the ID, and the signed-in account with \"bsc whoami\""],
    "social.not-found": ["run \"bsc social feed\" to see what you have access to"],
    "social.no-poll-option": ["run \"bsc social poll show\" to see the options"],
    "social.no-person": ["check the username, or enter the account ID"],
    "social.conflict": ["check the current state, for example with \"bsc social show\""],
    "social.invalid": ["correct the value, then run the same command again"],
    "social.no-text": ["enter a text"],
    "social.empty-search": ["enter a name, a tag, a team or a word of a caption"],
    "social.text-too-long": ["shorten the text"],
    "social.picture-too-large": ["crop or scale the picture, for example to 512 x 512 pixels"],
    "social.picture-unreadable": ["convert the picture to JPEG, PNG or WebP"],
    "recruiting.picture-too-large": ["scale the picture down"],
    "social.storage": ["check the folder's owner, permissions (ls -ld) and free space"],
    "social.storage-newer": ["update bsc"],
    "social.unreadable-action": ["repeat the like, comment or follow"],
    "social.queue-locked": ["wait until the other process has finished, then run \"bsc resume\""],
    "backend.unreachable": ["run \"bsc resume\" when the backend is reachable"],
    "backend.refused": ["check the backend with \"bsc doctor\""],
    "backend.no-highlights": ["list your uploads with \"bsc jobs list --all\", or open Mux's dashboard"],
    "backend.unreadable-answer": ["check the backend's URL with \"bsc config show\""],
    "backend.folder-in-use": ["use the running server, or set XDG_DATA_HOME to a different folder"],
    "backend.port-taken": ["choose a different port with --port, or let bsc choose a free port with --port 0"],
    "backend.folder-unusable": ["check the folder's owner, permissions (ls -ld) and free space"],
    "backend.database-unusable": ["update bsc if a newer version wrote the database, or move the folder elsewhere"],
    "backend.webhook-elsewhere": ["use a URL with the host 127.0.0.1 or localhost"],
    "backend.address-elsewhere": ["choose one of these addresses with --host: {addresses}; 0.0.0.0 selects all"],
    "backend.port-forbidden": ["choose a different port with --port, for example 7437"],
    "backend.cannot-listen": ["run \"bsc doctor\", or choose a different port with --port"],
    "backend.silent": ["stop the other bsc process, then run \"bsc resume\""],
    "backend.unsupported": ["set backend = \"local\" (\"bsc config show\" shows where the setting is stored)"],
    "backend.timeout": ["check the network, then run bsc doctor again"],
    "backend.already-serving": ["stop the server (press Ctrl-C in its terminal), then run the same command again"],
    "backend.token-without-host": ["specify an address with --host"],
    "backend.no-token-file": ["write a token to the file"],
    "network.certificate-refused": ["check this machine's clock and certificate authorities (setting network.cacert)"],
    "network.stalled": ["check the network; if the connection is slow, increase network.stall_seconds"],
    "network.proxy-refused": ["check the proxy variables in the environment (http_proxy, https_proxy, no_proxy)"],
    "network.failed": ["check the network and the backend's URL (bsc config show)"],
    "account.not-authorized": ["run \"bsc login\", then run \"bsc resume\""],
    "account.token-refused": ["check BSC_MUX_TOKEN_ID and BSC_MUX_TOKEN_SECRET, then run \"bsc resume\""],
    "account.refused": ["run \"bsc login\" again, or use another sign-in method from \"bsc login --help\""],
    "account.refused/code=invalid_credentials": ["check the email address and the password"],
    "account.refused/code=email_not_confirmed": ["open the link in the email, then run \"bsc login\" again"],
    "account.refused/code=over_request_rate_limit": ["wait one minute, then run \"bsc login\" again"],
    "account.refused/code=user_banned": ["contact the project's administrators"],
    "account.unreachable": ["check the network and supabase.url (bsc config show), then run the same command again"],
    "account.unreadable-answer": ["check supabase.url with \"bsc config show\""],
    "account.server-key": [
      "copy the publishable (anon) key from the project's API settings, and revoke the exposed secret key"
    ],
    "account.wrong-key": ["copy the publishable (anon) key from the project's API settings"],
    "account.browser-failed": ["run \"bsc login\" again, or sign in with a password: bsc login --email NAME"],
    "account.no-password": ["enter the password, or send it to stdin on a single line"],
    "account.other": ["sign in as {account}, or confirm the deletion with --yes-delete {current}"],
    "account.delete-unconfirmed": ["confirm the deletion with --yes-delete {account}"],
  ]

  private static let settings: [String: [String]] = [
    "settings.supabase": [
      "run \"bsc config set {setting} VALUE\", or use the local backend without an account: bsc config set backend local"
    ],
    "settings.mux": [
      "create an access token for Mux Video (read and write) in Mux's dashboard, and set it in the environment"
    ],
    "settings.no-home": ["set the HOME environment variable"],
    "settings.unknown": ["did you mean \"{nearest}\"?", "run \"bsc config show\" to list all settings"],
    "settings.invalid-value": ["did you mean \"{nearest}\"?", "correct the value"],
    "settings.not-utf8": ["save the file as UTF-8"],
    "settings.syntax": ["correct or remove this line"],
    "settings.not-a-value": ["use a quoted string, a number, true or false"],
    "settings.project-scope": ["set this in the user settings (see \"bsc config path\"), or with {variable}"],
    "settings.secret": ["set the environment variable {variable}"],
    "settings.rules-table": [
      "add the rule to the file manually, for example [rules.\"clip.duration\"], followed by the line min = 2"
    ],
    "settings.cannot-edit": ["edit the settings file manually"],
    "settings.unknown-rule": ["did you mean [rules.\"{nearest}\"]?", "run \"bsc validate --list-rules\""],
    "settings.rule-severity": ["set the severity to off, info, warning or error"],
    "settings.rule-without-bounds": ["set the rule's severity instead; only {bounded} have limits"],
    "settings.rule-number": ["use a number such as 3"],
    "settings.rule-field": ["did you mean \"{nearest}\"?", "set severity, min or max"],
    "settings.rule-bounds": ["set both limits; the defaults are {min} and {max}"],
  ]
}

extension Explanation {
  package var next: String? { Advice.nextStep(for: self) }
}
