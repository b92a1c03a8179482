import { Tabs } from '@base-ui/react/tabs'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { valueOf } from '../../app/async-data.ts'
import { openDock, toggleDock } from './dock.ts'
import { useLab } from '../lab-corpus/store.ts'
import type { DockPanel } from '../../app/feature.ts'
import { DOCK_PANELS } from '../../app/features.ts'
import { useApp } from '../../app/use-store.ts'
import { counted, duration } from '../../ui/format.ts'
import { CorpusPicker } from '../lab-corpus/corpus-picker.tsx'
import { LabNotice } from '../lab-corpus/lab-notice.tsx'

/** The dock under a session: its tabs always, the open one below them. */
export function DockView() {
  const dock = useApp((state) => state.view.dock)
  return (
    <Tabs.Root
      className="dock"
      value={dock}
      onValueChange={(value: unknown) => {
        const chosen = DOCK_PANELS.find(({ id }) => id === value)
        if (chosen) openDock(chosen.id)
      }}
    >
      <div className="dock-bar">
        <Tabs.List className="dock-tabs" aria-label="Dock">
          {DOCK_PANELS.map((panel) => (
            <PanelTab key={panel.id} panel={panel} open={dock === panel.id} />
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
      {DOCK_PANELS.map((panel) => (
        <OpenPanel key={panel.id} panel={panel} open={dock === panel.id} />
      ))}
    </Tabs.Root>
  )
}

interface PartProps {
  readonly panel: DockPanel
  readonly open: boolean
}

function PanelTab({ panel: { id, title, about, key, Aside }, open }: PartProps) {
  return (
    <Tabs.Tab
      value={id}
      className="dock-tab"
      title={`${about} (${key})`}
      // A second click on the open tab closes the dock.
      onClick={() => {
        if (open) toggleDock()
      }}
    >
      {title}
      {Aside && <Aside />}
    </Tabs.Tab>
  )
}

function OpenPanel({ panel: { id, Panel }, open }: PartProps) {
  if (!open) return null
  return (
    <Tabs.Panel value={id} className="dock-panel" tabIndex={-1}>
      <Panel />
    </Tabs.Panel>
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
