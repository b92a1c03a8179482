import { ChevronDown, ChevronUp, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Tabs } from '../../ui/tabs.tsx'
import { valueOf } from '../../app/async-data.ts'
import { type Dock, DOCKS } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { count, counted, duration } from '../../ui/format.ts'
import { ComparePanel } from '../compare/compare.tsx'
import { FlipsPanel } from '../flips/flips.tsx'
import { LabelPanel } from '../label/label.tsx'
import { LabPanel } from '../lab/lab.tsx'
import { TunePanel } from '../tune/tune.tsx'
import { replayedOf } from '../../app/verdicts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Banner } from '../../ui/banner.tsx'
import { openDock, toggleDock } from './dock.ts'
import { patchLab, useLab } from './store.ts'
import { isChanged } from './sides.ts'
import { CorpusPicker } from './corpus-picker.tsx'

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
    <Tabs
      label="Dock"
      names={DOCKS}
      value={dock}
      looks={{ root: 'dock', list: 'dock-tabs', tab: 'dock-tab', panel: 'dock-panel' }}
      lookOf={(name) => ({ about: TABS[name].about, word: <Word name={name} /> })}
      panelFocus={false}
      onChoose={openDock}
      // A second click on the open tab closes the dock.
      onAgain={toggleDock}
      bar={(list) => (
        <>
          <div className="dock-bar">
            {list}
            <span className="grow" />
            <CutOffs />
            <CorpusPicker />
            <IconButton
              icon={dock === null ? ChevronUp : ChevronDown}
              size={15}
              aria-expanded={dock !== null}
              name={dock === null ? 'Open the dock' : 'Close the dock'}
              title={dock === null ? 'Open the dock (d)' : 'Close the dock (d)'}
              onClick={toggleDock}
            />
          </div>
          {dock !== null && <LabNotice />}
        </>
      )}
    >
      {dock && <Open name={dock} />}
    </Tabs>
  )
}

function Open({ name }: { readonly name: Dock }) {
  const { Panel } = TABS[name]
  return <Panel />
}

function Word({ name }: { readonly name: Dock }) {
  const { word, Aside } = TABS[name]
  return (
    <>
      {word}
      {Aside && <Aside />}
    </>
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
    <span className="dock-aside num">
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
    <span className="dock-aside num">
      {count(labelled)} of {count(turns)}
    </span>
  )
}

/** What did not work, until it is read. */
function LabNotice() {
  const notice = useLab((state) => state.notice)
  if (!notice) return null
  return (
    <Banner tone="bad" icon={TriangleAlert} urgent onDismiss={() => patchLab({ notice: null })}>
      <strong>{notice.what}.</strong> {notice.where !== '' && <span>{notice.where}. </span>}
      {notice.do}
    </Banner>
  )
}
