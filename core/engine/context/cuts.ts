import { textOf, type SessionEvent, type TextReader } from '../schema/event.ts'

/** [X8] Why everything before an event left the context. */
export type CutReason = 'compacted' | 'cleared'

const COMPACTED: ReadonlySet<string> = new Set(['compact_boundary', 'compacted', 'compaction'])
/** Summaries of another branch of the session. They remove nothing from the context. */
const ASIDE: ReadonlySet<string> = new Set(['branch_summary', 'away_summary'])
const CLEARING = /<command-name>\s*\/(?:clear|new|reset)\s*<\/command-name>/u
/** A command is short. */
const MOST = 2000

/** [X8] Why the context starts again at an event. Null if it does not. */
export function cutAt(event: SessionEvent, texts: TextReader): CutReason | null {
  const { kind, name, chars } = event
  if (kind === 'meta') return name !== null && COMPACTED.has(name) ? 'compacted' : null
  if (kind === 'summary') return name !== null && ASIDE.has(name) ? null : 'compacted'
  if (kind !== 'command' || chars > MOST) return null
  return CLEARING.test(textOf(event, texts)) ? 'cleared' : null
}
