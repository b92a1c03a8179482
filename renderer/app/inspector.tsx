import { Tabs } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'
import { valueOf } from './async-data.ts'
import { selectedTurn } from './selectors.ts'
import { chooseTab } from './select.ts'
import { type Tab, TABS } from './store.ts'
import { useApp } from './use-store.ts'
import { FailureNote } from '../ui/failure-note.tsx'
import { KIND_LOOKS } from './event-kinds.ts'
import { rowAt } from '../features/turns/rows.ts'
import { EitherBudget } from '../features/budget/budget-tab.tsx'
import { BundleTab } from '../features/bundle/bundle-tab.tsx'
import { CoachTab } from '../features/coach/coach-tab.tsx'
import { ProbeTab } from '../features/probe/probe-tab.tsx'
import { Decision } from '../features/decision/decision.tsx'
import { InspectorSkeleton } from './inspector-skeleton.tsx'
import { MomentumTab } from '../features/momentum/momentum.tsx'
import { PromptTab } from '../features/prompt/prompt-tab.tsx'
import { RawTab } from '../features/raw/raw.tsx'
import { SelfSignalTab } from '../features/self-signals/self-signal.tsx'
import { WhyNotTab } from '../features/why-not/why-not.tsx'
import './inspector.css'

const WORDS: Record<Tab, string> = {
  decision: 'Decision',
  'why-not': 'Why not',
  momentum: 'Momentum',
  signals: 'Signals',
  prompt: 'Prompt',
  budget: 'Budget',
  bundle: 'Bundle',
  coach: 'Coach',
  probe: 'Probe',
  raw: 'Raw',
}

/** What a tab answers, for its tooltip. */
const ABOUT: Record<Tab, string> = {
  decision: 'What was decided for this turn, and its evidence',
  'why-not': 'Why no other domain was chosen',
  momentum: 'Momentum before and after this turn',
  signals: 'Self-signals: what the agent says about its own state',
  prompt: 'The prompt that this message would have been answered with',
  budget: 'Tokens of that prompt against its budget; of a step: its tiers',
  bundle: 'What a pipeline step gave the model, and where every piece came from',
  coach: 'What the coach says of the agent’s output, and what it would send back',
  probe: 'What the message touches in the collections, and what follows from it',
  raw: 'The record as it stands in the file',
}

type TurnTab = 'decision' | 'why-not' | 'momentum'
/** Tabs that need no turn. */
const OWN: Readonly<Record<Exclude<Tab, TurnTab>, () => ReactNode>> = {
  signals: SelfSignalTab,
  prompt: PromptTab,
  budget: EitherBudget,
  bundle: BundleTab,
  coach: CoachTab,
  probe: ProbeTab,
  raw: RawTab,
}

/** Everything about the selected event: the decision first, then its evidence, then the record. */
export function Inspector() {
  const tab = useApp((state) => state.view.tab)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A narrow inspector scrolls its tabs: the open one stays in sight.
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
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
        <Tabs.List ref={list} className="tabs no-shrink flex relative" aria-label="Inspector tabs">
          {TABS.map((name, at) => (
            <Tabs.Tab
              key={name}
              value={name}
              className="tab"
              title={`${ABOUT[name]} (${(at + 1) % 10})`}
            >
              {WORDS[name]}
            </Tabs.Tab>
          ))}
          <Tabs.Indicator className="tab-line" />
        </Tabs.List>
        {TABS.map((name) => (
          <Tabs.Panel key={name} value={name} className="tab-panel fill" tabIndex={0}>
            <TabContent name={name} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </section>
  )
}

function TabContent({ name }: { readonly name: Tab }) {
  const turn = useApp(selectedTurn)
  if (name === 'decision' || name === 'why-not' || name === 'momentum')
    return turn === null ? <NotClassified /> : <OfTurn tab={name} />
  const Own = OWN[name]
  return <Own />
}

function OfTurn({ tab }: { readonly tab: TurnTab }) {
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
      <button type="button" className="button" onClick={() => chooseTab('raw')}>
        Show its record
      </button>
    </div>
  )
}
