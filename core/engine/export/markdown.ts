import type { Flip } from '../schema/replay.ts'
import type { TurnTrace } from '../schema/trace.ts'

/** Maximum characters of a text in a table cell, and of a text shown alone. */
const CELL = 90
const ALONE = 2000

type Redact = (text: string) => string

/** A text in a fence that it cannot end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const cut = text.length > ALONE ? `${text.slice(0, ALONE)} …` : text
  return `${fence}text\n${cut}\n${fence}`
}

/** A text in a cell of a table: one line, and nothing that Markdown or HTML reads. */
function cell(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const cut = line.length > CELL ? `${line.slice(0, CELL)} …` : line
  return cut.replace(/[\\`*_[\]#!|<>~@]/gu, (sign) => `&#${sign.codePointAt(0) ?? 32};`)
}

const both = (primary: string, secondary: string | null) =>
  secondary === null ? primary : `${primary} + ${secondary}`

/** [U129] One turn for a pull request: the decision, its evidence, and the effect of momentum. */
export function turnMarkdown(
  trace: TurnTrace,
  { preset, session, redact }: { preset: string; session: string; redact: Redact },
): string {
  const { turn, primary, secondary, momentum, domains, text } = trace
  const decided = both(primary.domain, secondary?.domain ?? null)
  const rows = domains
    .filter(({ matched }) => matched > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ domain, score, signals }) => {
      const fired = signals.filter((signal) => signal.fired)
      const names = fired.map(({ id, pattern }) => cell(redact(id ?? pattern))).join(', ')
      return `| ${cell(domain)} | ${score} | ${names} |`
    })
  const table = ['| domain | score | signals that matched |', '| --- | ---: | --- |', ...rows]
  return [
    `### Turn ${turn + 1} of ${cell(redact(session))}: ${cell(decided)}`,
    `${cell(momentum.event)} by ${momentum.rule}, momentum ${momentum.after.momentum}, preset ${cell(preset)}. ${cell(momentum.reason)}`,
    fenced(redact(text)),
    rows.length === 0 ? 'No signal matched.' : table.join('\n'),
    '',
  ].join('\n\n')
}

/** One turn that two sides decide differently, with the beginning of its text. */
export interface FlipRow {
  readonly flip: Flip
  readonly before: string
  readonly after: string
  readonly text: string
}

interface Comparison {
  readonly session: string
  readonly turns: number
  readonly sides: readonly [string, string]
  readonly rows: readonly FlipRow[]
  readonly redact: Redact
}

/** [U129] A comparison for a pull request: every turn that flips, with its cause. */
export function comparisonMarkdown({ session, turns, sides, rows, redact }: Comparison): string {
  const [one, other] = sides
  const head = `### ${cell(one)} → ${cell(other)}: ${rows.length} of ${turns} turns of ${cell(redact(session))} flip`
  const lines = rows.map(
    ({ flip, before, after, text }) =>
      `| ${flip.turn + 1} | ${cell(before)} | ${cell(after)} | ${flip.cause} | ${cell(redact(text))} |`,
  )
  if (lines.length === 0) return `${head}\n\n`
  const table = ['| turn | before | after | cause | text |', '| ---: | --- | --- | --- | --- |']
  return `${head}\n\n${[...table, ...lines].join('\n')}\n\n`
}
