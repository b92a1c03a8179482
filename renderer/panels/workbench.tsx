import { useDeferredValue } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { valueOf } from '../state/async-data.ts'
import { useApp } from '../state/use-store.ts'
import { Banners } from './banners.tsx'
import { InspectorSkeleton } from './inspector/inspector-skeleton.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { TimelinePanel } from './timeline-panel.tsx'
import { TurnList } from './turn-list.tsx'

/** An open session: timeline over list, inspector beside them. Side panels keep their width. */
export function Workbench() {
  const name = useApp((state) => valueOf(state.document.opened)?.name ?? 'Session')
  // [U11] The first look is list and timeline; the inspector comes with the next frames.
  const rest = useDeferredValue(true, false)
  return (
    <Group orientation="horizontal" className="split">
      <Panel id="centre" minSize={460}>
        <div className="centre">
          <h1 className="visually-hidden">{name}</h1>
          <Banners />
          <Group orientation="vertical" className="split">
            <Panel
              id="timeline"
              defaultSize={344}
              minSize={150}
              groupResizeBehavior="preserve-pixel-size"
            >
              <TimelinePanel />
            </Panel>
            <Separator className="splitter splitter-row" aria-label="Height of the timeline" />
            <Panel id="list" minSize={140}>
              <TurnList />
            </Panel>
          </Group>
        </div>
      </Panel>
      <Separator className="splitter splitter-column" aria-label="Width of the inspector" />
      <Panel
        id="inspector"
        defaultSize={440}
        minSize={300}
        maxSize="55%"
        groupResizeBehavior="preserve-pixel-size"
      >
        {rest ? <Inspector /> : <InspectorSkeleton />}
      </Panel>
    </Group>
  )
}
