import { useEffect, useState } from 'react'
import type { AblationRow } from '../../../core/engine/schema/lab.ts'
import { has } from '../../app/api.ts'
import { createQuery, featureStore } from '../../app/query.ts'
import { type Answer, stream } from '../../app/question.ts'
import { useData } from '../../app/use-query.ts'
import { Button, Pressable } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Swatch } from '../../ui/domain.tsx'
import { count, counted } from '../../ui/format.ts'
import { CorpusBasis } from '../../views/lab/basis.tsx'
import {
  type StudyProps,
  LAB,
  Studied,
  useIsCurrent,
  useStudyQuestion,
} from '../../views/lab/studied.tsx'
import { shortName } from '../../ui/visible.ts'
import { act } from '../../app/tell.ts'

const SORTS = ['broken', 'fixed', 'flips', 'fired'] as const

/** More rows than anybody reads cost more than a frame. */
const MOST = 60

const COLUMNS: ReadonlyArray<Column<AblationRow>> = [
  {
    head: 'Signal',
    isName: true,
    cell: (row) => (
      <Pressable
        className="signal-link inline-row"
        title={row.pattern}
        disabled={!has('edit')}
        onClick={() => act('edit-signal', row)}
      >
        <Swatch domain={row.domain} />
        <span className="visually-hidden">{shortName(row.domain)}</span>
        {row.id ?? `signal ${row.index + 1}`}
      </Pressable>
    ),
  },
  {
    sort: 'broken',
    head: 'Labels broken',
    className: ({ broken }) => (broken > 0 ? 'num bad' : 'num quiet'),
    cell: ({ broken }) => count(broken),
  },
  {
    sort: 'fixed',
    head: 'Labels fixed',
    className: ({ fixed }) => (fixed > 0 ? 'num good' : 'num quiet'),
    cell: ({ fixed }) => count(fixed),
  },
  { sort: 'flips', head: 'Turns that flip', num: true, cell: ({ flips }) => count(flips) },
  { sort: 'fired', head: 'Fired on', num: true, cell: ({ fired }) => count(fired) },
]

type Rows = Answer<'lab.ablation'>

/** [T80] One ablation per window. It continues, and its result stays, while another study is shown. */
const ablation = createQuery<Rows>()
const begun = featureStore<{ readonly key: string | null }>({ key: null })

/** Starts once. Later edits make the result stale, and only the operator restarts it. */
function useAblation() {
  const question = useStudyQuestion((about) => stream('lab.ablation', about, LAB))
  const data = useData(ablation)
  const key = begun.use((state) => state.key)
  const begin = (): void => {
    if (!question) return
    begun.patch({ key: question.key })
    void ablation.ask(question)
  }
  useEffect(() => {
    if (key !== null || !question) return
    begun.patch({ key: question.key })
    void ablation.ask(question)
  }, [key, question])
  const isCurrent = useIsCurrent(ablation.basis())
  // [U220] Stale immediately after a change of files or configuration; after an edit of the draft, once the draft is at
  // rest.
  const isOld = key !== null && (!isCurrent || (question !== null && key !== question.key))
  return { asked: { data, cancel: ablation.cancel, again: begin }, isOld }
}

/** [T16] The effect of removing each signal, one at a time. */
export function Ablation(_: StudyProps) {
  const { asked, isOld } = useAblation()
  const [sort, setSort] = useState<(typeof SORTS)[number]>('broken')
  return (
    <Studied asked={asked} idle="Taking every signal away, one at a time">
      {({ rows }) => (
        <>
          <CorpusBasis />
          {isOld && (
            <p className="notice" role="status">
              This is of an earlier state of the draft, the file or the corpus.{' '}
              <Button small onClick={asked.again}>
                Run again
              </Button>
            </p>
          )}
          <p className="text-s dim pad-8-12">
            What would change if a signal were deleted.{' '}
            {counted(rows.filter((row) => row.flips === 0).length, 'signal')} of{' '}
            {count(rows.length)} change nothing on this corpus.
          </p>
          <DataTable
            className="metric-table metric-rows full-width"
            columns={COLUMNS}
            rows={rows.toSorted((a, b) => b[sort] - a[sort] || b.flips - a.flips).slice(0, MOST)}
            keyOf={({ domain, index }) => `${domain} ${index}`}
            sort={{ column: sort, down: true }}
            onSort={(name) => setSort(SORTS.find((one) => one === name) ?? 'broken')}
          />
          {rows.length > MOST && (
            <p className="quiet text-s dim pad-8-12">The first {count(MOST)} in this order.</p>
          )}
        </>
      )}
    </Studied>
  )
}
