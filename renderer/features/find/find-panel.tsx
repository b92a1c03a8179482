import { memo, useEffect, useMemo } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { KINDS } from '../../app/select.ts'
import { turnOf } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { replayedOf } from '../../app/verdicts.ts'
import { count, counted } from '../../ui/format.ts'
import { ListFrame } from '../../ui/list-frame.tsx'
import { alike, useRows } from '../../ui/use-rows.ts'
import { ResultText } from '../../views/find/excerpt-text.tsx'
import type { Excerpt } from '../../app/find-state.ts'
import { ensureExcerpts, findNext, goTo } from './find.ts'
import { FolderResults } from './folder-results.tsx'

const RESULT_PX = 60

/** Results of find: every match with the text around it, in the session or over the folder. */
export function FindPanel() {
  const scope = useApp((state) => state.view.find?.scope)
  return (
    <section className="find-panel" aria-label="Results">
      {scope === 'folder' ? <FolderResults /> : <SessionResults />}
    </section>
  )
}

function SessionResults() {
  const seqs = useApp((state) => state.view.find?.seqs)
  const more = useApp((state) => state.view.find?.more ?? false)
  const query = useApp((state) => state.view.find?.query ?? '')
  const asked = useApp((state) => state.view.find?.asked ?? '')
  if (!seqs) return null
  const waiting = query !== asked
  return (
    <>
      <p className="find-panel-head no-shrink text-s dim medium num" aria-busy={waiting}>
        {headline(query, waiting, seqs.length, more)}
      </p>
      {seqs.length > 0 ? <ResultList seqs={seqs} query={asked} /> : <Hints query={query} />}
    </>
  )
}

// The parameters are the four facts of one sentence.
function headline(query: string, waiting: boolean, found: number, more: boolean): string {
  if (query.trim() === '') return 'Results'
  if (waiting) return 'Looking …'
  return more ? `The first ${count(found)} matches` : counted(found, 'match', 'matches')
}

function Hints({ query }: { readonly query: string }) {
  if (query.trim() !== '') return null
  return (
    <div className="find-hints text-s quiet">
      <p>All that stands in the box must hold. Some to begin with:</p>
      <ul className="stack gap-5">
        {[
          'role:user pip',
          'event:break',
          'domain:coding -role:tool',
          'tool:shell error:yes',
          '/\\bretry\\b/',
        ].map((example) => (
          <li key={example}>
            <code>{example}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

function ResultList({ seqs, query }: { readonly seqs: readonly number[]; readonly query: string }) {
  const at = useApp((state) => state.view.find?.at ?? -1)
  const excerpts = useApp((state) => state.view.find?.excerpts)
  const source = useMemo(() => alike(seqs.length, RESULT_PX), [seqs])
  const view = useRows(source, { current: at })
  const { from, to } = view
  useEffect(() => {
    const timer = setTimeout(() => ensureExcerpts(from, to - 1), 40)
    return () => clearTimeout(timer)
  }, [from, to, seqs, query])
  return (
    <ListFrame
      view={view}
      className="find-scroll fill scroll relative"
      role="listbox"
      label="Matches in this session"
      active={at >= from && at < to ? `match-${at}` : undefined}
      onStep={findNext}
    >
      {(place) => {
        const seq = seqs[place]
        return (
          seq !== undefined && (
            <Result
              key={seq}
              seq={seq}
              at={place}
              selected={place === at}
              excerpt={excerpts?.get(seq) ?? null}
            />
          )
        )
      }}
    </ListFrame>
  )
}

interface ResultProps {
  readonly seq: number
  readonly at: number
  readonly selected: boolean
  readonly excerpt: Excerpt | null
}

/** Memoized: a step redraws only two visible results, the old and the new selection. */
const Result = memo(function Result({ seq, at, selected, excerpt }: ResultProps) {
  const kind = useApp((state) => valueOf(state.session.events)?.kind[seq])
  const time = useApp((state) => valueOf(state.session.events)?.at[seq] ?? 0)
  const replayed = useApp(replayedOf)
  const turn = replayed ? turnOf(replayed.columns, seq) : undefined
  return (
    <div
      role="option"
      id={`match-${at}`}
      aria-selected={selected}
      className="result pad-5-12 option column full-width clip"
      data-index={at}
      onClick={() => goTo(at)}
    >
      <ResultText
        kind={KINDS[kind ?? -1] ?? 'meta'}
        place={turn === undefined ? `event ${count(seq + 1)}` : `turn ${count(turn + 1)}`}
        at={time}
        excerpt={excerpt}
      />
    </div>
  )
})
