#!/usr/bin/env bash
# Compresses a season on several machines without a scheduler, with GNU parallel. Each processes a quarter of the clips.
#
#     SEASON=/shared/season OUT=/shared/small ./parallel.sh --sshloginfile machines --jobs 1
#
# `machines` contains one host name per line; all of them must have the same folders under the same paths. A single machine
# doesn't need this, because bsc uses all of its cores. Options on the command line are options of parallel.
set -euo pipefail
export SEASON=${SEASON:?} OUT=${OUT:?}

status=0
# --quote prevents a second shell from expanding the names. -I allows names that contain {}.
parallel --quote -I "{part}" --line-buffer --tag "$@" \
  bsc compress "$SEASON" -o "$OUT" --shard "{part}/4" ::: 0 1 2 3 || status=$?
bsc batch merge "$OUT" --report html="$OUT/report.html"
exit "$status"
