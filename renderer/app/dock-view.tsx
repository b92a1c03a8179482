import { ChevronDown, ChevronUp } from 'lucide-react'
import type { DockPanel } from './feature.ts'
import { DOCK_PANELS } from './features.ts'
import { LayoutPicker } from './layout-picker.tsx'
import { rememberCrash } from './restore.ts'
import { Slot } from './slot.tsx'
import { useApp } from './use-store.ts'
import { Boundary } from '../ui/boundary.tsx'
import { IconButton } from '../ui/button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { openDock, toggleDock } from './dock.ts'

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
            <Slot name="DockTool" />
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
          {dock !== null && <Slot name="DockNote" />}
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
