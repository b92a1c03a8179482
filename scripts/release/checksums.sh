#!/usr/bin/env bash
# checksums.sh FOLDER: writes SHA256SUMS of the files in it, names sorted, so that equal files give an equal list.
set -euo pipefail
cd "$1"
rm -f SHA256SUMS
names=(*)
LC_ALL=C sha256sum -- "${names[@]}" > .sums
mv .sums SHA256SUMS
