import { counted } from '../../engine/result.ts'
import type { ContextGroup } from '../../engine/context/parts.ts'
import { shareText } from '../../engine/schema/context.ts'
import type { CallRow, PartRow } from '../../host/context/call-rows.ts'

interface Head {
  readonly file: string
  readonly number: number
  readonly title: string
  readonly thread: string
  readonly isRecorded: boolean
  readonly tokenizer: string
  readonly calls: number
}

const number = new Intl.NumberFormat('en-US')

/** A count with thousands separated: `18,214`. */
export function tokensText(count: number): string {
  return number.format(count)
}

export function headText({
  file,
  number: nth,
  title,
  thread,
  isRecorded,
  tokenizer,
  calls,
}: Head): string {
  const name = thread === 'main' ? title : `${thread}: ${title}`
  const heading = `${file}, session ${nth}, ${name.slice(0, 80)}\n`
  if (calls === 0) return `${heading}  no model call: no answer of a model is recorded\n`
  const recorded = isRecorded
    ? 'totals recorded'
    : 'the file records no usage: all figures are estimates'
  return `${heading}  ${counted(calls, 'call')}; ${recorded}; parts estimated by ${tokenizer}\n`
}

/** Groups of a call that one line names. */
const MOST = 6

/** One call on one line: its figures, then its sources, the largest first. */
export function callText(row: CallRow, groups: readonly ContextGroup[]): string {
  const listed = groups.slice(0, MOST).map(({ label, tokens }) => `${label} ${tokensText(tokens)}`)
  const more = groups.length > MOST ? [`${groups.length - MOST} more`] : []
  return `${cutText(row)}${figures(row, groups)}: ${[...listed, ...more].join(', ')}\n`
}

function figures(
  { call, turn, tokens, recorded, window, cost, currency }: CallRow,
  groups: readonly ContextGroup[],
): string {
  const estimated = groups.reduce((sum, group) => sum + group.tokens, 0)
  const of = turn === null ? '' : ` (turn ${turn})`
  const share =
    tokens !== null && window !== null
      ? [`${shareText(tokens, window)} of ${tokensText(window)}`]
      : []
  const facts = [
    tokens === null ? `about ${tokensText(estimated)} tokens` : `${tokensText(tokens)} tokens`,
    ...(recorded === null
      ? []
      : [`${tokensText(recorded.cacheRead)} cached`, `${tokensText(recorded.output)} output`]),
    ...share,
    ...(cost === null ? [] : [`${cost.toFixed(4)} ${currency ?? ''}`.trimEnd()]),
  ]
  return `  call ${call}${of}: ${facts.join(', ')}`
}

const REASONS: Readonly<Record<string, string>> = {
  compacted: 'compacted',
  cleared: 'cleared',
  shrank: 'recorded tokens fell; the file does not say why',
}

function cutText({ cut, tokens }: CallRow): string {
  if (cut === null) return ''
  const events =
    cut.events === 0 ? [] : [cut.events === 1 ? '1 event left' : `${cut.events} events left`]
  const fall =
    cut.before === null || tokens === null
      ? []
      : [`${tokensText(cut.before)} tokens before, ${tokensText(tokens)} after`]
  return `  -- ${[REASONS[cut.reason] ?? cut.reason, ...events, ...fall].join(', ')}\n`
}

function afterCall({ cause }: PartRow): string | null {
  if (cause === null) return null
  const place = cause.event === null ? '' : `, event ${cause.event}`
  return `after ${cause.name ?? 'a call'}${place}`
}

/** Parts that have a line each. */
const MOST_PARTS = 100

/** One call with the parts of its context, the largest first. `+`: new since the call before. */
export function partsText(
  row: CallRow,
  groups: readonly ContextGroup[],
  parts: readonly PartRow[],
): string {
  const lines = parts.slice(0, MOST_PARTS).map((part) => {
    const { tokens, added, label, event, source } = part
    const place = event === null ? '' : `  event ${event}`
    const more = [
      source?.path ?? null,
      source?.globs === null || source === null ? null : `for ${source.globs.join(' ')}`,
      afterCall(part),
    ].filter((fact) => fact !== null)
    return `  ${added ? '+' : ' '} ${tokensText(tokens).padStart(10)}  ${label}${place}${more.length === 0 ? '' : `  (${more.join(', ')})`}`
  })
  const others = parts.slice(MOST_PARTS)
  const sum = others.reduce((before, { tokens }) => before + tokens, 0)
  const more = `    ${tokensText(sum).padStart(10)}  ${others.length} smaller parts; --json lists all`
  const all = others.length === 0 ? lines : [...lines, more]
  return `${cutText(row)}${figures(row, groups)}\n${all.join('\n')}\n`
}
