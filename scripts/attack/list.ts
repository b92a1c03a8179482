/** One row of the attack suite: a door, and the tests that try to force it. */
interface Attack {
  readonly door: string
  readonly tests: readonly string[]
  /** Also run by the gate, in seconds. */
  readonly isShort: boolean
}

/** [F224] Attacks that `npm run attack` runs. `docs/security.md` has the same rows, which a test compares. */
export const ATTACKS: readonly Attack[] = [
  {
    door: 'redaction: secrets in any surrounding, texts that take long',
    tests: ['core/engine/redact/surroundings.test.ts', 'core/engine/redact/evaluated.test.ts'],
    isShort: false,
  },
  {
    door: 'patterns: nesting, broken escapes',
    tests: ['core/engine/matcher/nesting.test.ts'],
    isShort: true,
  },
  {
    door: 'templates that build without bound',
    tests: ['core/engine/prompt/bounds.test.ts'],
    isShort: false,
  },
  { door: 'grammars', tests: ['core/engine/bundle/gbnf.test.ts'], isShort: false },
  {
    door: 'MCP: messages that are none',
    tests: ['core/cli/mcp/messages.test.ts'],
    isShort: true,
  },
  {
    door: 'statements of `sql`, folders of results',
    tests: ['core/cli/batch/batch.test.ts', 'core/host/results/results.test.ts'],
    isShort: false,
  },
  {
    door: 'hooks',
    tests: ['core/host/hook/left-folders.test.ts', 'core/host/hook/hook.test.ts'],
    isShort: false,
  },
  {
    door: 'the receiver',
    tests: ['core/host/receiver/hostile.test.ts', 'core/host/receiver/body.test.ts'],
    isShort: false,
  },
  {
    door: 'transcripts and archives',
    tests: [
      'core/host/transcripts/read-transcript.fuzz.test.ts',
      'core/host/transcripts/archive.test.ts',
      'core/host/transcripts/parquet.test.ts',
    ],
    isShort: false,
  },
  {
    door: 'calls of the window',
    tests: [
      'core/host/entries/hostile-calls.test.ts',
      'core/host/entries/kept-seeds.fuzz.test.ts',
      'core/host/windows/main/loopback.test.ts',
    ],
    isShort: false,
  },
  { door: 'git', tests: ['core/host/drafts/git-hostile.test.ts'], isShort: false },
  {
    door: 'the terminal',
    tests: ['core/cli/kit/terminal.test.ts'],
    isShort: false,
  },
]
