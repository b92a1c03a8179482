import { useDeferredValue, useEffect, useRef } from 'react'
import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels'
import { DockView } from './dock-view.tsx'
import { dockHeight, rememberDockHeight } from './dock.ts'
import { Slot } from './slot.tsx'
import { Skeleton } from '../ui/answered.tsx'
import { Boundary } from '../ui/boundary.tsx'
import { valueOf } from './async-data.ts'
import { Banners } from './banners.tsx'
import { Inspector } from './inspector.tsx'
import { TimelinePanel } from './timeline-panel.tsx'
import { useMedia } from './use-media.ts'
import { useApp } from './use-store.ts'
import { shortName } from '../ui/visible.ts'

/**
 * An open session: timeline over list, inspector beside them, the dock below. Side panels keep their
 * size; the dock's is remembered.
 */
export function Workbench() {
  const open = useApp((state) => state.view.dock !== null)
  return (
    <div className="workbench column full-height">
      <Group orientation="vertical" className="split">
        <Panel id="session" minSize={220}>
          <Session dock={open} />
        </Panel>
        {open && (
          <>
            <Separator className="splitter splitter-row" aria-label="Height of the dock" />
            <Panel
              id="dock"
              defaultSize={dockHeight()}
              minSize={150}
              groupResizeBehavior="preserve-pixel-size"
              onResize={({ inPixels }) => rememberDockHeight(inPixels)}
            >
              <DockView />
            </Panel>
          </>
        )}
      </Group>
      {!open && <DockView />}
    </div>
  )
}

/** Height of the timeline with the dock closed, and the least that is left for the list beside an open one. */
const TIMELINE_PX = 368
const LIST_PX = 190
const SETTLED_MS = 50
/** [U64] Below this there is one column, and the page scrolls. */
const NARROW = '(width < 700px)'

function Session({ dock }: { readonly dock: boolean }) {
  const name = useApp((state) => valueOf(state.document.opened)?.name ?? 'Session')
  const session = useApp(
    (state) => `${valueOf(state.document.opened)?.key ?? ''} ${state.session.index}`,
  )
  // [U11] The first look is list and timeline; the inspector comes with the next frames.
  const rest = useDeferredValue(true, false)
  const narrow = useMedia(NARROW)
  const timeline = usePanelRef()
  const before = useRef<number | null>(null)
  useEffect(() => {
    // Three panels in one column: the timeline gives way while the dock is open.
    // The panels learn their own new sizes in between.
    const timer = setTimeout(() => {
      const panel = timeline.current
      if (!panel) return
      const { inPixels, asPercentage } = panel.getSize()
      if (dock) {
        const room = (inPixels / asPercentage) * 100
        before.current ??= inPixels
        panel.resize(Math.max(150, Math.min(inPixels, room - LIST_PX)))
      } else if (before.current !== null) {
        panel.resize(before.current)
        before.current = null
      }
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [dock, timeline])
  return (
    <Group orientation={narrow ? 'vertical' : 'horizontal'} className="split">
      <Panel id="centre" minSize={narrow ? 320 : 460}>
        <div className="centre shrink column full-height">
          <h1 className="visually-hidden">{shortName(name)}</h1>
          <Boundary where="Notes above the timeline" of={session}>
            <Banners />
          </Boundary>
          <Group orientation="vertical" className="split">
            <Panel
              id="timeline"
              panelRef={timeline}
              defaultSize={TIMELINE_PX}
              minSize={150}
              groupResizeBehavior="preserve-pixel-size"
            >
              <Boundary where="Timeline" of={session}>
                <TimelinePanel />
              </Boundary>
            </Panel>
            <Separator className="splitter splitter-row" aria-label="Height of the timeline" />
            <Panel id="list" minSize={140}>
              <Boundary where="List of turns" of={session}>
                <Slot name="List" />
              </Boundary>
            </Panel>
          </Group>
        </div>
      </Panel>
      <Separator
        className={`splitter splitter-${narrow ? 'row' : 'column'}`}
        aria-label={narrow ? 'Height of the inspector' : 'Width of the inspector'}
      />
      <Panel
        id="inspector"
        defaultSize={440}
        minSize={300}
        maxSize={narrow ? '70%' : '55%'}
        groupResizeBehavior="preserve-pixel-size"
      >
        <Boundary where="Inspector" of={session}>
          {rest ? <Inspector /> : <Skeleton />}
        </Boundary>
      </Panel>
    </Group>
  )
}
