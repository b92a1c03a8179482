import { ChevronDown, ChevronUp, TriangleAlert } from 'lucide-react'
import { has } from './api.ts'
import { valueOf } from './async-data.ts'
import type { DockPanel } from './feature.ts'
import { DOCK_PANELS } from './features.ts'
import { LayoutPicker } from './layout-picker.tsx'
import { rememberCrash } from './restore.ts'
import { useApp } from './use-store.ts'
import { Banner } from '../ui/banner.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { IconButton } from '../ui/button.tsx'
import { counted, duration } from '../ui/format.ts'
import { Tabs } from '../ui/tabs.tsx'
import { CorpusPicker } from '../features/lab-corpus/corpus-picker.tsx'
import { patchLab, useLab } from '../stores/lab/store.ts'
import { openDock, toggleDock } from './dock.ts'
import { shortName } from '../ui/visible.ts'

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

/** The dock under a session: its tabs always, the open one below them. */
export function DockView() {
  const dock = useApp((state) => state.view.dock)
  const { Panel, title = '' } = panelOf(dock) ?? {}
  return (
    <Tabs
      label="Dock"
      names={DOCK_PANELS.map(({ id }) => id)}
      value={dock}
      looks={{
        root: 'dock shrink-y column full-height on-panel',
        list: 'dock-tabs shrink flex clip',
        button: 'dock-tab shrink inline-row text-s dim nowrap gap-7 medium brighten',
        panel: 'dock-panel fill on-bg',
      }}
      lookOf={lookOf}
      panelFocus={false}
      onChoose={openDock}
      // A second click on the open tab closes the dock.
      onAgain={toggleDock}
      bar={(list) => (
        <>
          <div className="dock-bar row no-shrink line-below">
            {list}
            <span className="grow" />
            <CutOffs />
            {has('text') && <CorpusPicker />}
            <LayoutPicker />
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
      {Panel && (
        <Boundary where={`Panel ${title}`} of={dock} onCrash={() => rememberCrash('dock')}>
          <Panel />
        </Boundary>
      )}
    </Tabs>
  )
}

function lookOf(name: string) {
  const { title = '', about = '', key = '', Aside } = panelOf(name) ?? {}
  const word = (
    <>
      {title}
      {Aside && <Aside />}
    </>
  )
  return { about: `${about} (${key})`, word }
}

function panelOf(name: string | null): DockPanel | undefined {
  return DOCK_PANELS.find(({ id }) => id === name)
}

/** [T58] Numbers without the matches of a pattern that was cut off are not the whole truth: it is said. */
function CutOffs() {
  const cutOffs = useLab((state) => valueOf(state.flips)?.cutOffs ?? null)
  if (!cutOffs || cutOffs.length === 0) return null
  const lines = cutOffs.map(
    ({ domain, pattern, chars, elapsedMs }) =>
      `${shortName(domain)}: ${pattern}, ${counted(chars, 'character')}, ${duration(elapsedMs)}`,
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
