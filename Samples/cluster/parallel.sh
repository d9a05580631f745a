#!/usr/bin/env bash
# A season on a few machines without a scheduler, with GNU parallel: each makes a quarter of the clips.
#
#     SEASON=/shared/season OUT=/shared/small ./parallel.sh --sshloginfile machines --jobs 1
#
# `machines` has one name in a line, and all of them see the same folders under the same names. One machine alone needs
# none of this: bsc keeps all of its cores busy. Options here are those of parallel.
set -euo pipefail
export SEASON=${SEASON:?} OUT=${OUT:?}

status=0
# --quote: no shell looks at names a second time. -I: a name may have {} in it.
parallel --quote -I "{part}" --line-buffer --tag "$@" \
  bsc compress "$SEASON" -o "$OUT" --shard "{part}/4" ::: 0 1 2 3 || status=$?
bsc batch merge "$OUT" --report html="$OUT/report.html"
exit "$status"
