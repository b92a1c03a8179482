import { Command } from 'cmdk'
import { useEffect, useState } from 'react'
import { KIND_LOOKS } from '../../app/event-kinds.ts'
import type { PaletteProps, Run } from '../../app/feature.ts'
import { selectSeq } from '../../app/select.ts'
import { useApp } from '../../app/use-store.ts'
import { replayedOf, verdictOf } from '../../app/verdicts.ts'
import { Domain } from '../../ui/domain.tsx'
import { ensureRows, rowAt } from '../turns/rows.ts'
import { searchSession } from './find.ts'

const MOST_HITS = 8

/** The palette finds text of the session. */
export function TextHits({ text, run }: PaletteProps) {
  const [hits, setHits] = useState<{ text: string; seqs: readonly number[] }>({
    text: '',
    seqs: [],
  })
  useEffect(() => {
    if (text.trim().length < 2) return undefined
    const controller = new AbortController()
    const timer = setTimeout(() => {
      searchSession(quotedQuery(text), controller.signal)
        .then((answer) => {
          const seqs = (answer?.seqs ?? []).slice(0, MOST_HITS)
          for (const seq of seqs) ensureRows(seq, seq)
          setHits({ text, seqs })
        })
        .catch(() => undefined)
    }, 120)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text])
  if (hits.text !== text || hits.seqs.length === 0) return null
  return (
    <Command.Group heading="In this session" className="palette-group">
      {hits.seqs.map((seq) => (
        <TextHit key={seq} seq={seq} needle={text.trim()} run={run} />
      ))}
    </Command.Group>
  )
}

function TextHit({
  seq,
  needle,
  run,
}: {
  readonly seq: number
  readonly needle: string
  readonly run: Run
}) {
  const row = useApp((state) => rowAt(state.session.windows, seq))
  const replayed = useApp(replayedOf)
  const verdict = replayed && verdictOf(replayed, seq)
  return (
    <Command.Item value={`event ${seq}`} keywords={[needle]} onSelect={run(() => selectSeq(seq))}>
      <span className="palette-number num quiet">{verdict ? verdict.turn + 1 : ''}</span>
      <span className="palette-kind quiet">{row ? KIND_LOOKS[row.kind].word : ''}</span>
      <span className="truncate grow">{row ? around(row.text, needle) : '…'}</span>
      {verdict && <Domain name={verdict.primary} />}
    </Command.Item>
  )
}

/** The palette looks for the text as it stands, not for a query. */
function quotedQuery(text: string): string {
  return `"${text.trim().replaceAll(/["\\]/gu, String.raw`\$&`)}"`
}

/** The text around the first occurrence, on one line. */
function around(text: string, needle: string): string {
  const at = text.toLowerCase().indexOf(needle.toLowerCase())
  const from = Math.max(0, at - 30)
  return (from > 0 ? '… ' : '') + text.slice(from, from + 160).replace(/\s+/gu, ' ')
}
