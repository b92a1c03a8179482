import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { SignalRow } from '../../../core/engine/schema/lab.ts'
import { valueOf } from '../../app/async-data.ts'
import { patchView } from '../../app/store.ts'
import { Empty, FailureNote } from '../../ui/answered.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/columns.ts'
import { Swatch } from '../../ui/domain.tsx'
import { BareInput } from '../../ui/form.tsx'
import { ago, count, dayOf } from '../../ui/format.ts'
import { ProgressView } from '../../ui/progress.tsx'
import { type RowLook, Table } from '../../ui/table.tsx'
import { shortName, visible } from '../../ui/visible.ts'
import { cancelCorpus, reopenCorpus } from '../lab-corpus/corpus.ts'
import { SIGNAL_COLUMNS, type SignalColumn, type SignalPlace, useLab } from '../lab-corpus/store.ts'
import { Share } from '../lab/share.tsx'
import { focusEditor, showSignal } from './editor-doc.ts'
import { chooseSignalRow, patchSignalsView, shownSignals, sortSignals } from './signals.ts'

const ROW_PX = 27

type Col = Column<SignalRow>

const SIGNS = { same: '', added: '+', changed: '≠' } as const

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
        <code className="truncate">{pattern}</code>
      </>
    ),
  }),
  column('session', 'Here', 'Turns of the session in view on which it fired', {
    num: true,
    cell: ({ session }) => count(session),
  }),
  column('corpus', 'Corpus', 'Turns of the corpus on which it fired', {
    num: true,
    cell: ({ corpus }) => count(corpus),
  }),
  column('own', 'Own', 'Of those turns: how many are decided as its own domain', {
    cell: ({ own, corpus }) => <Share hits={own} of={corpus} />,
  }),
  column(
    'precision',
    'Labels',
    'Of the labelled turns it fired on: how many are labelled as its domain',
    { cell: ({ precision }) => <Share {...precision} /> },
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
    title: ({ editedAt }) => dayOf(editedAt),
    cell: ({ editedAt }) => (editedAt === null ? '–' : ago(editedAt, now)),
  })
  return [...COLUMNS, edited]
}

const LOOK: RowLook<SignalRow> = {
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

function choose({ domain, index }: SignalRow): void {
  chooseSignalRow({ domain, index })
  showSignal({ domain, index }, true)
}

/** [T54] Every signal with what it does; a row and a line of the editor are one selection. */
export function SignalTable() {
  const data = useLab((state) => state.signals)
  const view = useLab((state) => state.signalsView)
  const hasCorpus = useLab((state) => valueOf(state.corpus) !== null)
  const answer = valueOf(data)
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
      {all ? (
        rows.length > 0 ? (
          <Rows rows={rows} />
        ) : (
          <Empty>No signal has these words.</Empty>
        )
      ) : (
        <Waiting hasCorpus={hasCorpus} />
      )}
    </section>
  )
}

/** [T77] The table counts over the corpus; text, marks and the session's flips are here before it. */
function Waiting({ hasCorpus }: { readonly hasCorpus: boolean }) {
  const corpus = useLab((state) => state.corpus)
  if (corpus.status === 'failed') return <FailureNote failure={corpus.failure} />
  return (
    <div className="stack gap-6 pad">
      <Empty>
        {hasCorpus
          ? 'Counting matches …'
          : corpus.status === 'loading'
            ? 'The corpus is being read: the file can be edited meanwhile, and what it flips in the session in view is said above.'
            : 'Without a corpus there is nothing to count over.'}
      </Empty>
      {!hasCorpus && (
        <ProgressView data={corpus} idle="Reading the corpus" onCancel={cancelCorpus} />
      )}
      {!hasCorpus && corpus.status === 'idle' && (
        <p>
          <Button small onClick={reopenCorpus}>
            Read the corpus
          </Button>
        </p>
      )}
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

function Rows({ rows }: { readonly rows: readonly SignalRow[] }) {
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

function itself(row: SignalRow): SignalRow {
  return row
}
