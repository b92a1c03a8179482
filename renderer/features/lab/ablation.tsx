import { useMemo, useState } from 'react'
import type { AblationRow } from '../../../core/engine/schema/lab.ts'
import { Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import type { StudyProps } from './study-props.ts'
import { openSignal } from './open-signal.ts'
import { Studied } from './studied.tsx'
import { askStream, useAbout, useAnswer } from './use-answer.ts'

const SORTS = ['broken', 'fixed', 'flips', 'fired'] as const
type Sort = (typeof SORTS)[number]
const WORDS: Readonly<Record<Sort, string>> = {
  broken: 'Labels broken',
  fixed: 'Labels fixed',
  flips: 'Turns that flip',
  fired: 'Fired on',
}

/** [T16] Every signal taken away, one at a time: what it is worth. */
export function Ablation(_: StudyProps) {
  const about = useAbout()
  const ask = useMemo(() => (about ? askStream('lab.ablation', about) : null), [about])
  const asked = useAnswer(ask)
  const [sort, setSort] = useState<Sort>('broken')
  return (
    <Studied asked={asked} idle="Taking every signal away, one at a time">
      {({ rows }) => (
        <>
          <p className="text-s dim pad-8-12">
            What would change if a signal were deleted.{' '}
            {counted(rows.filter((row) => row.flips === 0).length, 'signal')} of{' '}
            {count(rows.length)} change nothing on this corpus.
          </p>
          <table className="metric-table metric-rows full-width">
            <thead>
              <tr>
                <th scope="col">Signal</th>
                {SORTS.map((name) => (
                  <th key={name} scope="col" aria-sort={sort === name ? 'descending' : 'none'}>
                    <button type="button" onClick={() => setSort(name)}>
                      {WORDS[name]} {sort === name && '↓'}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows
                .toSorted((a, b) => b[sort] - a[sort] || b.flips - a.flips)
                .slice(0, MOST)
                .map((row) => (
                  <Line key={`${row.domain} ${row.index}`} row={row} />
                ))}
            </tbody>
          </table>
          {rows.length > MOST && (
            <p className="quiet text-s dim pad-8-12">The first {count(MOST)} in this order.</p>
          )}
        </>
      )}
    </Studied>
  )
}

/** More rows than anybody reads cost more than a frame. */
const MOST = 60

function Line({ row }: { readonly row: AblationRow }) {
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          className="signal-link inline-row"
          title={row.pattern}
          onClick={() => openSignal(row)}
        >
          <Swatch domain={row.domain} />
          <span className="visually-hidden">{row.domain}</span>
          {row.id ?? `signal ${row.index + 1}`}
        </button>
      </th>
      <td className={row.broken > 0 ? 'num bad' : 'num quiet'}>{count(row.broken)}</td>
      <td className={row.fixed > 0 ? 'num good' : 'num quiet'}>{count(row.fixed)}</td>
      <td className="num">{count(row.flips)}</td>
      <td className="num">{count(row.fired)}</td>
    </tr>
  )
}
