import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { madeFromWords } from '../../../core/engine/lab/metrics/basis-words.ts'
import { valueOf } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Empty, FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { Swatch } from '../../ui/domain.tsx'
import { BareInput } from '../../ui/form.tsx'
import { ago, count, counted, dayOf } from '../../ui/format.ts'
import { Details } from '../../ui/parts.tsx'
import { ProgressView } from '../../ui/progress.tsx'
import { type RowLook, Table } from '../../ui/table.tsx'
import { shortCode, shortName, visible } from '../../ui/visible.ts'
import { cancelCorpus, reopenCorpus } from '../../stores/lab/corpus.ts'
import {
  SIGNAL_COLUMNS,
  type ShownSignal,
  type SignalColumn,
  type SignalPlace,
  useLab,
} from '../../stores/lab/store.ts'
import { Basis, useCorpusBasis } from '../../views/lab/basis.tsx'
import { Share } from '../../views/lab/share.tsx'
import { noSignalWords } from './draft-words.ts'
import { ListSwitch } from './reach.tsx'
import { focusEditor, showSignal } from './editor-doc.ts'
import {
  chooseSignalRow,
  patchSignalsView,
  reachWords,
  shownSignals,
  sortSignals,
} from '../../stores/drafts/signals.ts'

const ROW_PX = 27

type Col = Column<ShownSignal>

const SIGNS = { same: '', added: '+', changed: '≠' } as const

const REACH_SIGNS = { reached: '✓', never: '✕', undecided: '?' } as const

/** [U110] Placeholder for corpus figures. */
const NOT_YET = (
  <span className="quiet" title="The corpus has not been read yet">
    …
  </span>
)
const countOr = (value: number | undefined) => (value === undefined ? NOT_YET : count(value))

function column(sort: SignalColumn, head: string, about: string, of: Omit<Col, 'sort'>): Col {
  return { sort, head, about, headClass: `signal-${sort}`, ...of }
}

const COLUMNS: readonly Col[] = [
  column('place', 'Signal', 'Domain, id and pattern, in the order of the file', {
    isOrder: true,
    className: 'signal-place shrink row',
    headClass: 'signal-place shrink row',
    cell: ({ domain, id, index, pattern }) => (
      <>
        <Swatch domain={domain} />
        <span className="visually-hidden">{shortName(domain)}</span>
        <span className="signal-id no-shrink medium truncate">{id ?? `signal ${index + 1}`}</span>
        <code className="truncate">{shortCode(pattern)}</code>
      </>
    ),
  }),
  column(
    'reach',
    '⌁',
    'Can a message reach it? The message, the proof that none does, or neither',
    {
      className: ({ reach }) => `signal-reach signal-reach-${reach?.status ?? 'unknown'}`,
      title: ({ reach }) => (reach ? reachWords(reach) : undefined),
      cell: ({ reach }) =>
        reach && (
          <>
            <span aria-hidden>{REACH_SIGNS[reach.status]}</span>
            <span className="visually-hidden">{reachWords(reach)}</span>
          </>
        ),
    },
  ),
  column('session', 'Here', 'Turns of the session in view on which it fired', {
    num: true,
    cell: ({ session }) => countOr(session),
  }),
  column('corpus', 'Corpus', 'Turns of the corpus on which it fired', {
    num: true,
    cell: ({ corpus }) => countOr(corpus),
  }),
  column('own', 'Own', 'Of those turns: how many are decided as its own domain', {
    cell: ({ own, corpus }) =>
      own === undefined || corpus === undefined ? NOT_YET : <Share hits={own} of={corpus} />,
  }),
  column(
    'precision',
    'Labels',
    'Of the labelled turns it fired on: how many are labelled as its domain',
    { cell: ({ precision }) => (precision === undefined ? NOT_YET : <Share {...precision} />) },
  ),
  column('change', '±', 'Added or changed by the draft', {
    className: ({ change }) => `signal-change signal-${change}`,
    title: ({ change }) => (change === 'same' ? undefined : `${change} by the draft`),
    cell: ({ change }) => SIGNS[change],
  }),
]

/** @param now epoch milliseconds when the table was opened */
function columnsAt(now: number): readonly Col[] {
  const edited = column('edited', 'Edited', 'When its line was written last', {
    className: 'quiet num truncate',
    title: ({ editedAt = null }) => dayOf(editedAt),
    cell: ({ editedAt }) =>
      editedAt === undefined ? NOT_YET : editedAt === null ? '–' : ago(editedAt, now),
  })
  return [...COLUMNS, edited]
}

const LOOK: RowLook<ShownSignal> = {
  name: 'signal',
  keyOf,
  className: 'signal-row option stack text-s nowrap center-items',
  stateOf: ({ corpus }) => (corpus === 0 ? 'signal-dead' : ''),
  titleOf: ({ note }) => note ?? undefined,
  onClick: choose,
}

function keyOf({ domain, index }: SignalPlace): string {
  return `${domain} ${index}`
}

function choose({ domain, index }: ShownSignal): void {
  chooseSignalRow({ domain, index })
  showSignal({ domain, index }, true)
}

/** [T54] Every signal with its effects. A row and a line of the editor share one selection. */
export function SignalTable() {
  const data = useLab((state) => state.signals)
  const view = useLab((state) => state.signalsView)
  const hasCorpus = useLab((state) => valueOf(state.corpus) !== null)
  const answer = valueOf(data)
  const nothing = useLab((state) => noSignalWords(state, answer?.rows.length ?? 0))
  const all = answer?.rows ?? null
  const restricted = answer?.restricted ?? null
  if (data.status === 'failed' && !all) return <FailureNote failure={data.failure} />
  const rows = all ? shownSignals(all, view) : []
  return (
    <section
      className="signals column full-height"
      aria-label="Signals"
      aria-busy={data.status === 'loading'}
    >
      <div className="signals-filter row no-shrink text-s quiet line-below pad-x-12">
        <ListSwitch />
        <Search size={13} aria-hidden />
        <BareInput
          className="bare grow"
          type="search"
          aria-label="Filter signals"
          placeholder="Domain, id or part of a pattern"
          value={view.filter}
          onText={(filter) => patchSignalsView({ filter })}
        />
        <span className="quiet num">
          {all ? `${count(rows.length)} of ${count(all.length)}` : ''}
        </span>
      </div>
      {restricted !== null && <RestrictedGit why={restricted} />}
      {!hasCorpus && <NoCounts />}
      {all === null ? <Bones /> : rows.length > 0 ? <Rows rows={rows} /> : <Empty>{nothing}</Empty>}
      <LabelsBasis />
    </section>
  )
}

/** [T77] [U110] The table counts over the corpus: how far reading it is, and what to do without one. */
function NoCounts() {
  const corpus = useLab((state) => state.corpus)
  const reading = useApp(({ document }) => valueOf(document.opened)?.complete === false)
  if (corpus.status === 'failed') return <FailureNote failure={corpus.failure} />
  if (corpus.status === 'idle' && reading)
    return (
      <p className="no-shrink text-s quiet line-below pad-5-12">
        The file is still being read; what its signals match is counted afterwards.
      </p>
    )
  if (corpus.status === 'loading')
    return (
      <div className="no-shrink pad-x-12 line-below">
        <ProgressView data={corpus} idle="Counting over the corpus" onCancel={cancelCorpus} />
      </div>
    )
  return (
    <p className="row no-shrink gap-8 text-s quiet line-below pad-5-12">
      Without a corpus there is nothing to count over.
      <Button small onClick={reopenCorpus}>
        Read the corpus
      </Button>
    </p>
  )
}

/** [L100] [L101] Basis of the labels column, collapsed; its mark stays visible. */
function LabelsBasis() {
  const basis = useCorpusBasis()
  if (basis === null) return null
  const mark = madeFromWords(basis)
  return (
    <Details
      className="signals-basis no-shrink text-xs line-above pad-5-12"
      summary={
        <span className="quiet num">
          Labels: {counted(basis.labelled, 'labelled turn')} of {counted(basis.sources, 'source')}
          {mark !== null && ' · signals were made from some of these'}
        </span>
      }
    >
      <Basis basis={basis} />
    </Details>
  )
}

function Bones() {
  return (
    <div className="fill tune-bones content-start stack pad-16" aria-busy>
      {Array.from({ length: 7 }, (_, at) => (
        <i key={at} className="bone" />
      ))}
    </div>
  )
}

/** Why the column of edits is empty, and the way out. */
function RestrictedGit({ why }: { readonly why: string }) {
  return (
    <p className="warning" role="note" title={visible(why)}>
      <strong>Restricted.</strong> When lines were edited is not asked of git in a workspace that
      you have not trusted.{' '}
      <Button kind="link" onClick={() => patchView({ dialog: 'trust' })}>
        Workspace trust
      </Button>
    </p>
  )
}

function Rows({ rows }: { readonly rows: readonly ShownSignal[] }) {
  const chosen = useLab((state) => state.signal)
  const { sort, down } = useLab((state) => state.signalsView)
  const [now] = useState(Date.now)
  const columns = useMemo(() => columnsAt(now), [now])
  return (
    <div className="column fill">
      <Table
        label="Signals of the draft"
        className="signals-scroll fill scroll"
        lines={rows}
        rowOf={itself}
        height={ROW_PX}
        columns={columns}
        look={LOOK}
        headClass="signal-row stack line-below nowrap center-items signals-head text-xs quiet on-panel"
        sort={{ column: sort, down }}
        onSort={(name) => {
          const chosenColumn = SIGNAL_COLUMNS.find((one) => one === name)
          if (chosenColumn) sortSignals(chosenColumn)
        }}
        current={chosen && keyOf(chosen)}
        onCurrent={choose}
        onEnter={focusEditor}
        focus
      />
    </div>
  )
}

function itself(row: ShownSignal): ShownSignal {
  return row
}
