import { Tabs } from '@base-ui/react/tabs'
import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { openDock, toggleDock } from './dock.ts'
import { useLab } from './store.ts'
import { isChanged } from './sides.ts'
import { type Dock, DOCKS } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { count, counted, duration } from '../../ui/format.ts'
import { ComparePanel } from '../compare/compare.tsx'
import { FlipsPanel } from '../flips/flips.tsx'
import { LabelPanel } from '../label/label.tsx'
import { LabPanel } from '../lab/lab.tsx'
import { TunePanel } from '../tune/tune.tsx'
import { replayedOf } from '../../app/verdicts.ts'
import { CorpusPicker } from './corpus-picker.tsx'
import { LabNotice } from './lab-notice.tsx'
import './dock.css'

interface Tab {
  readonly word: string
  readonly about: string
  readonly Aside?: () => ReactNode
  readonly Panel: () => ReactNode
}

const TABS: Readonly<Record<Dock, Tab>> = {
  tune: {
    word: 'Tune',
    about: 'Signals and their file: every edit shows at once what flips (T)',
    Aside: Unsaved,
    Panel: TunePanel,
  },
  flips: {
    word: 'Flips',
    about: 'Turns that the draft decides differently (i)',
    Aside: FlipCount,
    Panel: FlipsPanel,
  },
  compare: {
    word: 'Compare',
    about: 'Two presets, files, revisions or the draft, turn by turn (w)',
    Panel: ComparePanel,
  },
  label: {
    word: 'Label',
    about: 'Say what turns should have been (L)',
    Aside: LabelCount,
    Panel: LabelPanel,
  },
  lab: {
    word: 'Lab',
    about: 'Metrics, matrix, coverage, ablation, what-if, suggestions, lint (h)',
    Panel: LabPanel,
  },
}

/** The dock under a session: its tabs always, the open one below them. */
export function DockView() {
  const dock = useApp((state) => state.view.dock)
  return (
    <Tabs.Root
      className="dock shrink-y column full-height on-panel"
      value={dock}
      onValueChange={(value: unknown) => {
        const chosen = DOCKS.find((name) => name === value)
        if (chosen) openDock(chosen)
      }}
    >
      <div className="dock-bar row no-shrink line-below">
        <Tabs.List className="dock-tabs shrink flex clip" aria-label="Dock">
          {DOCKS.map((name) => (
            <DockTab key={name} name={name} open={dock === name} />
          ))}
        </Tabs.List>
        <span className="grow" />
        <CutOffs />
        <CorpusPicker />
        <button
          type="button"
          className="icon-button"
          aria-expanded={dock !== null}
          aria-label={dock === null ? 'Open the dock' : 'Close the dock'}
          title={dock === null ? 'Open the dock (d)' : 'Close the dock (d)'}
          onClick={toggleDock}
        >
          {dock === null ? (
            <ChevronUp size={15} aria-hidden />
          ) : (
            <ChevronDown size={15} aria-hidden />
          )}
        </button>
      </div>
      {dock !== null && <LabNotice />}
      {DOCKS.map((name) => (
        <DockPanel key={name} name={name} open={dock === name} />
      ))}
    </Tabs.Root>
  )
}

function DockTab({ name, open }: { readonly name: Dock; readonly open: boolean }) {
  const { word, about, Aside } = TABS[name]
  return (
    <Tabs.Tab
      value={name}
      className="dock-tab shrink inline-row text-s dim nowrap gap-7 medium brighten"
      title={about}
      // A second click on the open tab closes the dock.
      onClick={() => {
        if (open) toggleDock()
      }}
    >
      {word}
      {Aside && <Aside />}
    </Tabs.Tab>
  )
}

function DockPanel({ name, open }: { readonly name: Dock; readonly open: boolean }) {
  const { Panel } = TABS[name]
  if (!open) return null
  return (
    <Tabs.Panel value={name} className="dock-panel fill on-bg" tabIndex={-1}>
      <Panel />
    </Tabs.Panel>
  )
}

function Unsaved() {
  const changed = useLab(isChanged)
  if (!changed) return null
  return (
    <span className="dock-unsaved">
      <span className="visually-hidden">unsaved draft</span>
    </span>
  )
}

/** [T58] Numbers without the matches of a pattern that was cut off are not the whole truth: it is said. */
function CutOffs() {
  const cutOffs = useLab((state) => valueOf(state.flips)?.cutOffs ?? null)
  if (!cutOffs || cutOffs.length === 0) return null
  const lines = cutOffs.map(
    ({ domain, pattern, chars, elapsedMs }) =>
      `${domain}: ${pattern}, ${counted(chars, 'character')}, ${duration(elapsedMs)}`,
  )
  return (
    <span
      className="chip chip-warn"
      role="status"
      title={`They took too long on a text and count as not matched there:\n${lines.slice(0, 12).join('\n')}`}
    >
      {counted(new Set(cutOffs.map(({ pattern }) => pattern)).size, 'pattern')} cut off
    </span>
  )
}

function FlipCount() {
  const report = useLab((state) => valueOf(state.flips))
  const changed = useLab(isChanged)
  if (!report || !changed || report.total === 0) return null
  const { total, turns, direct, momentum } = report
  return (
    <span className="text-xs accent num">
      {count(total)} of {count(turns)}
      <span className="dock-detail">
        {' '}
        ({count(direct)} direct, {count(momentum)} by momentum)
      </span>
    </span>
  )
}

function LabelCount() {
  const labelled = useLab((state) => valueOf(state.labels)?.bySeq.size ?? 0)
  const turns = useApp((state) => replayedOf(state)?.columns.turns ?? 0)
  if (labelled === 0) return null
  return (
    <span className="text-xs accent num">
      {count(labelled)} of {count(turns)}
    </span>
  )
}
