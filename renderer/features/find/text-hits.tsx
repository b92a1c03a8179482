import { Command } from 'cmdk'
import { useEffect } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { KIND_LOOKS } from '../../app/event-kinds.ts'
import type { PaletteProps, Run } from '../../app/feature.ts'
import { mapped } from '../../app/question.ts'
import { selectSeq } from '../../app/select.ts'
import { useQuery } from '../../app/use-query.ts'
import { useApp } from '../../app/use-store.ts'
import { replayedOf, verdictOf } from '../../app/verdicts.ts'
import { Domain } from '../../ui/domain.tsx'
import { ensureRows, rowAt } from '../../app/rows.ts'
import { searching } from './find.ts'

const MOST_HITS = 8
const NO_HITS: readonly number[] = []
/** Milliseconds without another key before the session is searched. */
const PAUSE_MS = 120

/** The palette finds text of the session. */
export function TextHits({ text, run }: PaletteProps) {
  const question = text.trim().length < 2 ? null : searching(quotedQuery(text))
  const { data } = useQuery(question && mapped(question, ({ seqs }) => ({ text, seqs })), PAUSE_MS)
  const found = valueOf(data)
  const seqs = found?.text === text ? found.seqs.slice(0, MOST_HITS) : NO_HITS
  useEffect(() => {
    for (const seq of seqs) ensureRows(seq, seq)
  })
  if (seqs.length === 0) return null
  return (
    <Command.Group heading="In this session" className="palette-group">
      {seqs.map((seq) => (
        <TextHit key={seq} seq={seq} needle={text.trim()} run={run} />
      ))}
    </Command.Group>
  )
}

interface TextHitProps {
  readonly seq: number
  readonly needle: string
  readonly run: Run
}

function TextHit({ seq, needle, run }: TextHitProps) {
  const row = useApp((state) => rowAt(state.session.windows, seq))
  const replayed = useApp(replayedOf)
  const verdict = replayed && verdictOf(replayed, seq)
  return (
    <Command.Item value={`event ${seq}`} keywords={[needle]} onSelect={run(() => selectSeq(seq))}>
      <span className="palette-number text-end num quiet">{verdict ? verdict.turn + 1 : ''}</span>
      <span className="palette-kind text-s quiet">{row ? KIND_LOOKS[row.kind].word : ''}</span>
      <span className="truncate grow">{row ? around(row.text, needle) : '…'}</span>
      {verdict && <Domain name={verdict.primary} />}
    </Command.Item>
  )
}

/** Quotes the text, because the palette searches for it literally, not as a query. */
function quotedQuery(text: string): string {
  return `"${text.trim().replaceAll(/["\\]/gu, String.raw`\$&`)}"`
}

/** The text around the first occurrence, on one line. */
function around(text: string, needle: string): string {
  const at = text.toLowerCase().indexOf(needle.toLowerCase())
  const from = Math.max(0, at - 30)
  return (from > 0 ? '… ' : '') + text.slice(from, from + 160).replace(/\s+/gu, ' ')
}
