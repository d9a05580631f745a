extension Advice {
  /// The advice for errors of recruiting.
  static let recruiting: [String: [String]] = [
    "recruiting.no-family": [
      """
      create one with "bsc recruiting family create NAME", or join one with "bsc recruiting family join" if you \
      have an invitation
      """
    ],
    "recruiting.several-families": [
      "choose one with \"bsc recruiting family switch NAME\", or specify --family NAME"
    ],
    "recruiting.handle-empty": ["enter the name of the account, with or without @"],
    "recruiting.handle-character": ["enter the name of the account, with or without @, or the address of its profile"],
    "recruiting.handle-length": ["enter the name of the account, with or without @, or the address of its profile"],
    "recruiting.handle-host": ["enter the address of a profile on {platform}, or the name of the account"],
    "recruiting.handle-address": ["enter the address of a profile, or the name of the account"],
    "recruiting.post-address": ["copy the address of the post from the browser"],
    "recruiting.filter": ["correct the value, then run the same command again"],
    "recruiting.time-zone": ["enter a name such as America/New_York"],
    "recruiting.time": ["enter a date such as 2026-02-03, or a time such as \"2026-02-03 14:15\""],
    "recruiting.import-empty": ["add a first line with the names of the columns"],
    "recruiting.import-columns": ["add the missing columns to the first line"],
    "recruiting.import-column-twice": ["remove one of the columns"],
    "recruiting.import-rows": ["split the file"],
    "recruiting.import-syntax": ["save the table as CSV again"],
    "recruiting.no-text": ["enter a text"],
    "recruiting.text-too-long": ["shorten the text"],
    "recruiting.unknown-name": ["check the name or the ID of the {kind}"],
    "recruiting.ambiguous-name": ["enter the ID, or more characters of it"],
    "recruiting.forbidden": [
      "check your role with \"bsc recruiting family\"; athletes log interactions and send links, parents remove members"
    ],
    "recruiting.not-found": ["check the ID, and the signed-in account with \"bsc whoami\""],
    "recruiting.gone": ["ask for a new invitation"],
    "recruiting.conflict": ["check the current state with \"bsc recruiting family\""],
    "recruiting.invalid": ["correct the value, then run the same command again"],
    "recruiting.rate-limited": ["wait a few minutes, then run the same command again"],
    "backend.unreachable/client=recruiting": ["run the same command again when the backend is reachable"],
    "account.not-authorized/client=recruiting": ["run \"bsc login\", then run the same command again"],
    "recruiting.no-base-url": [
      """
      run "bsc serve --public-url URL" with its public address, or "bsc config set share.base_url URL" with the address \
      of the page for Supabase
      """
    ],
    "recruiting.sending-locked": ["wait until the other process has finished, then run the same command again"],
    "recruiting.no-sync-token": [
      "store one with \"bsc recruiting sync token twitter\", or import posts with \"bsc recruiting posts import FILE\""
    ],
    "recruiting.no-token": ["enter the token, or send it to stdin on a single line"],
    "recruiting.no-handles": ["add one with \"bsc recruiting coaches edit NAME --x HANDLE\""],
    "recruiting.sync-failed": ["check the token and the problems above, then run the same command again later"],
    "recruiting.sync-lost": ["wait until the other sync has finished, then run the same command again"],
    "recruiting.unconfirmed": ["confirm with --force"],
    "pdf.library-missing": ["install Pango: apt-get install libpangocairo-1.0-0, or brew install pango"],
    "pdf.failed": ["export the list with --csv instead"],
  ]
}
