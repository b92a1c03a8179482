import { Tabs } from '@base-ui/react/tabs'
import { valueOf } from '../../state/async-data.ts'
import { selectedTurn } from '../../state/selectors.ts'
import { chooseTab } from '../../state/select.ts'
import type { Tab } from '../../state/store.ts'
import { TABS } from '../../state/store.ts'
import { useApp } from '../../state/use-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { KIND_LOOKS } from '../event-kinds.ts'
import { rowAt } from '../../state/rows.ts'
import { Decision } from './decision.tsx'
import { InspectorSkeleton } from './inspector-skeleton.tsx'
import { MomentumTab } from './momentum.tsx'
import { RawTab } from './raw.tsx'
import { WhyNotTab } from './why-not.tsx'

const WORDS: Record<Tab, string> = {
  decision: 'Decision',
  'why-not': 'Why not',
  momentum: 'Momentum',
  raw: 'Raw',
}

/** Everything about the selected event: the decision first, then its evidence, then the record. */
export function Inspector() {
  const tab = useApp((state) => state.view.tab)
  const turn = useApp(selectedTurn)
  return (
    <section className="inspector" aria-label="Inspector">
      <Tabs.Root
        className="inspector-tabs"
        value={tab}
        onValueChange={(value: unknown) => {
          const chosen = TABS.find((name) => name === value)
          if (chosen) chooseTab(chosen)
        }}
      >
        <Tabs.List className="tabs" aria-label="Inspector tabs">
          {TABS.map((name, at) => (
            <Tabs.Tab key={name} value={name} className="tab" title={`${WORDS[name]} (${at + 1})`}>
              {WORDS[name]}
            </Tabs.Tab>
          ))}
          <Tabs.Indicator className="tab-line" />
        </Tabs.List>
        {TABS.map((name) => (
          <Tabs.Panel key={name} value={name} className="tab-panel" tabIndex={0}>
            {name === 'raw' ? (
              <RawTab />
            ) : turn === null ? (
              <NotClassified />
            ) : (
              <OfTurn tab={name} />
            )}
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </section>
  )
}

function OfTurn({ tab }: { readonly tab: Exclude<Tab, 'raw'> }) {
  const trace = useApp((state) => state.session.trace)
  const turn = useApp(selectedTurn)
  if (trace.status === 'failed') return <FailureNote failure={trace.failure} />
  const value = valueOf(trace)
  if (!value) return <InspectorSkeleton />
  const stale = value.turn !== turn
  return (
    <div className={stale ? 'stale' : undefined} aria-busy={stale}>
      {tab === 'decision' && <Decision trace={value} />}
      {tab === 'why-not' && <WhyNotTab trace={value} />}
      {tab === 'momentum' && <MomentumTab trace={value} />}
    </div>
  )
}

function NotClassified() {
  const selected = useApp((state) => state.view.selected)
  const row = useApp((state) => (selected === null ? null : rowAt(state.session.windows, selected)))
  const loaded = useApp((state) => valueOf(state.session.replay) !== null)
  if (!loaded) return <InspectorSkeleton />
  if (!row)
    return <p className="inspector-empty quiet">Select a turn in the list or on the timeline.</p>
  const look = KIND_LOOKS[row.kind]
  return (
    <div className="inspector-empty">
      <h2>Not classified</h2>
      <p>
        This event is {look.about}. Under the preset in force such events are not classified and do
        not count for momentum.
      </p>
      <button
        type="button"
        className="button"
        onClick={() => {
          chooseTab('raw')
        }}
      >
        Show its record
      </button>
    </div>
  )
}
