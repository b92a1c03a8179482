import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useMemo } from 'react'
import type {
  ResultsCounts,
  ResultsFlip,
  ResultsTurn,
} from '../../../core/engine/schema/results.ts'
import { call, mapped, type Question } from '../../app/question.ts'
import { useQuery } from '../../app/use-query.ts'
import { Answered, Skeleton } from '../../ui/answered.tsx'
import { IconButton, Switch } from '../../ui/button.tsx'
import { count } from '../../ui/format.ts'
import { type RowLook, Table } from '../../ui/table.tsx'
import { useLooks } from './looks.ts'
import { type ListedRow, flipColumns, turnColumns } from './row-columns.tsx'
import { flipsOf, follow, isEmpty, patchResults, rowKey, useResults } from './state.ts'

/** Rows of a page. */
const PAGE = 200
const ROW_PX = 34

interface Props {
  readonly path: string
  readonly counts: ResultsCounts
}

/** The turns or flips that pass the filter, a page at a time; each opens its session at its turn. */
export function RowList({ path, counts }: Props) {
  const wanted = useResults((state) => state.list)
  const list = counts.flips === null ? 'turns' : wanted
  const filter = useResults((state) => state.filter)
  const flips = useResults(flipsOf)
  const from = useResults((state) => state.from)
  const current = useResults((state) => state.current)
  const total = list === 'turns' ? counts.turns + counts.textless : (counts.flips?.total ?? 0)
  const question = useMemo((): Question<readonly ListedRow[]> => {
    const input = { path, filter, flips, from, most: PAGE }
    return list === 'turns'
      ? mapped(call('results.turns', input, { where: path }), ({ rows }) => rows)
      : mapped(call('results.flips', input, { where: path }), ({ rows }) => rows)
  }, [path, filter, flips, from, list])
  const { data, again } = useQuery(question)
  const lookOf = useLooks(counts)
  const columns = useMemo(
    () => (list === 'turns' ? turnColumns(lookOf) : flipColumns(lookOf)),
    [list, lookOf],
  )
  const look = useMemo(
    (): RowLook<ListedRow> => ({ ...LOOK, onClick: (row) => void follow(path, row) }),
    [path],
  )
  const options = [
    ['flips', <>Flips {counts.flips && <Total of={counts.flips.total} />}</>],
    [
      'turns',
      <>
        Turns <Total of={counts.turns + counts.textless} />
      </>,
    ],
  ] as const
  return (
    <section className="results-list column fill" aria-label="Rows">
      <div className="row no-shrink line-below pad-8-12">
        <Switch
          label="Rows listed"
          options={counts.flips === null ? options.slice(1) : options}
          value={list}
          onChoose={(next) => patchResults({ list: next, from: 0, current: null })}
        />
        <span className="quiet text-s truncate">Enter opens the session at the turn</span>
        <span className="grow" />
        <Pages from={from} total={total} />
      </div>
      <div className="results-table shrink-y grow relative">
        <Answered data={data} retry={again} waiting={<Skeleton />}>
          {(rows) => (
            <Table
              label={list === 'turns' ? 'Turns' : 'Flips'}
              className="virtual-scroll scroll"
              columns={columns}
              current={current}
              look={look}
              lines={rows}
              rowOf={itself}
              height={ROW_PX}
              headClass={`results-row results-${list} stack line-below center-items pad-x-12 results-heads text-xs quiet bold on-panel`}
              letters
              onCurrent={(row) => patchResults({ current: rowKey(row) })}
              onEnter={(row) => {
                if (row) void follow(path, row)
              }}
              onFocus={() => {
                const [first] = rows
                if (first && !rows.some((row) => rowKey(row) === current))
                  patchResults({ current: rowKey(first) })
              }}
              none={
                <p className="results-note text-center quiet">
                  {isEmpty(filter) ? 'There is none.' : 'Nothing passes the filters.'}
                </p>
              }
            />
          )}
        </Answered>
      </div>
    </section>
  )
}

const itself = (row: ListedRow): ListedRow => row

const LOOK: Omit<RowLook<ListedRow>, 'onClick'> = {
  name: 'result',
  keyOf: rowKey,
  className: 'results-row results-entry option stack center-items pad-x-12',
  stateOf: (row: ResultsFlip | ResultsTurn) => ('cause' in row ? 'results-flips' : 'results-turns'),
}

function Total({ of }: { readonly of: number }) {
  return <span className="num quiet">{count(of)}</span>
}

function Pages({ from, total }: { readonly from: number; readonly total: number }) {
  if (total === 0) return null
  const to = Math.min(total, from + PAGE)
  const go = (next: number) => patchResults({ from: next, current: null })
  return (
    <span className="row gap-4 nowrap">
      <span className="num text-s dim">
        {count(from + 1)} to {count(to)} of {count(total)}
      </span>
      <IconButton
        icon={ChevronLeft}
        size={15}
        name="Rows before"
        disabled={from === 0}
        onClick={() => go(Math.max(0, from - PAGE))}
      />
      <IconButton
        icon={ChevronRight}
        size={15}
        name="Rows after"
        disabled={to >= total}
        onClick={() => go(from + PAGE)}
      />
    </span>
  )
}
