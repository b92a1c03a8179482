const CODE = /`[^`\n]{1,300}`/g
/** Names that prose has not: camelCase, snake_case, letters with figures. */
const NAMES = /\b(?:[a-z]{1,30}[A-Z]\w{0,60}|[A-Za-z]{1,30}_\w{1,60}|[A-Za-z]{1,20}-?\d\w{0,30})\b/g

/** [V76] Counts the details of a sentence that a reader can look up: code and names. Evidence is counted separately. */
export function particularsIn(shown: string): number {
  return countOf(shown, CODE) + countOf(shown.replace(CODE, ' '), NAMES)
}

/** [V76] Counts code anywhere in an output, even if no sentence surrounds it. */
export function codeIn(text: string): number {
  return countOf(text, CODE)
}

/** Code of several words, or the name of a program that runs checks. */
const COMMAND =
  /`(?:[\w./@-]{1,40}[ \t][^`\n]{1,200}|(?:py|php|v|c)?(?:test|unit)s?|tsc|jest|mocha|ruff|eslint|mypy|tox|rspec|make|biome|clippy|golangci-lint|[\w-]{0,20}lint|-{1,2}[\w-]{1,30})`/

/** [V76] Whether a sentence names the command that was run. */
export function namesCommand(shown: string): boolean {
  return COMMAND.test(shown)
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
