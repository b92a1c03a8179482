#!/usr/bin/env bash
# Runs `turnscope check` with what the inputs of the action say, and shows its findings as annotations. TURNSCOPE is the
# command to run, for tests; left out, the npm package is fetched.
set -euo pipefail

version=${INPUT_VERSION:-$(node -p "require('$ACTION/version.json').version")}
reports=${RUNNER_TEMP:-$(mktemp -d)}
sarif=$reports/turnscope.sarif
junit=$reports/turnscope.xml

# One argument a line; lines without anything but blanks are passed over.
arguments=()
add_lines() {
  local option=$1 line
  while IFS= read -r line || [ -n "$line" ]; do
    [ -z "${line//[[:space:]]/}" ] && continue
    if [ -n "$option" ]; then arguments+=("$option"); fi
    arguments+=("$line")
  done <<< "$2"
}
add_lines '' "${INPUT_ARGUMENTS:-}"
add_lines --labels "${INPUT_LABELS:-}"
# Nothing behind this is an option.
arguments+=(--sarif "$sarif" --junit "$junit" --)
add_lines '' "${INPUT_FILES:-}"

command=(npx --yes "turnscope@$version")
if [ -n "${TURNSCOPE:-}" ]; then command=(node "$TURNSCOPE"); fi

code=0
"${command[@]}" check "${arguments[@]}" || code=$?
{
  echo "sarif=$sarif"
  echo "junit=$junit"
  echo "code=$code"
} >> "$GITHUB_OUTPUT"
if [ -f "$sarif" ]; then node "$ACTION/annotations.cjs" "$sarif"; fi
exit "$code"
