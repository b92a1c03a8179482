import { redactText } from '../core/engine/redact/redact.ts'
import { secondHarmless, secondSecrets } from '../fixtures/redaction/second-set.ts'
import {
  type Half,
  lookAlikeCases,
  secretCases,
  type LookAlikeCase,
  type SecretCase,
} from '../fixtures/redaction/set.ts'

/**
 * `node scripts/evaluate-redaction.ts [--misses]`: how many secrets of two sets redaction finds, and how many
 * look-alikes it takes for one. Both halves with counts and 95 % intervals; `--misses` shows cases of the tuned
 * halves only, so that rules do not learn from the held ones.
 */
export type EvaluationSet = 'first' | 'second'

const SETS = {
  first: { secrets: secretCases, harmless: lookAlikeCases },
  second: { secrets: secondSecrets, harmless: secondHarmless },
} as const

export interface Share {
  readonly of: number
  readonly count: number
  /** Wilson's interval of 95 %. */
  readonly from: number
  readonly to: number
}

interface Evaluation {
  readonly found: Share
  readonly taken: Share
  readonly missed: readonly SecretCase[]
  readonly wrong: readonly LookAlikeCase[]
}

type Redact = (text: string) => string
const shipped: Redact = (text) => redactText(text, { kinds: ['key', 'token', 'email', 'home'] })
/** Consecutive code units of a secret that must not remain after redaction. */
const WINDOW = 8

export function evaluateRedaction(
  half: Half,
  redact: Redact = shipped,
  set: EvaluationSet = 'first',
): Evaluation {
  const secrets = SETS[set].secrets().filter((one) => one.half === half)
  const alike = SETS[set].harmless().filter((one) => one.half === half)
  const missed = secrets.filter(({ text, gone }) => remains(redact(text), gone))
  const wrong = alike.filter(({ text }) => redact(text) !== text)
  return {
    missed,
    wrong,
    found: share(secrets.length - missed.length, secrets.length),
    taken: share(wrong.length, alike.length),
  }
}

function remains(left: string, gone: readonly string[]): boolean {
  return gone.some((piece) =>
    Array.from({ length: Math.max(1, piece.length - WINDOW + 1) }, (_, at) => at).some((at) =>
      left.includes(piece.slice(at, at + WINDOW)),
    ),
  )
}

function share(count: number, of: number): Share {
  const z = 1.96
  const p = count / of
  const middle = (p + (z * z) / (2 * of)) / (1 + (z * z) / of)
  const half = (z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of))) / (1 + (z * z) / of)
  return { of, count, from: Math.max(0, middle - half), to: Math.min(1, middle + half) }
}

function line(what: string, { of, count, from, to }: Share): string {
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`
  return `${what} ${count} of ${of}: ${percent(count / of)} (${percent(from)} to ${percent(to)})`
}

function print(set: EvaluationSet, half: Half): void {
  const { found, taken, missed, wrong } = evaluateRedaction(half, shipped, set)
  console.log(`${set} set, ${half}`)
  console.log(`  ${line('secrets found', found)}\n  ${line('look-alikes taken', taken)}`)
  if (half === 'held' || !process.argv.includes('--misses')) return
  for (const { kind, surrounding, text } of missed)
    console.log(`  missed ${kind}, ${surrounding}: ${JSON.stringify(text)}`)
  for (const { kind, text } of wrong) console.log(`  wrong ${kind}: ${JSON.stringify(text)}`)
}

if (import.meta.main) {
  for (const set of ['first', 'second'] as const)
    for (const half of ['tune', 'held'] as const) print(set, half)
}
