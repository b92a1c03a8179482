import { type ComponentType, useEffect } from 'react'
import { createKeptState } from '../../app/kept-state.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { loadServiceOnce } from '../../stores/probe/probe.ts'
import { CompareEmbedders } from './compare-embedders.tsx'
import { CurveView } from './curve-view.tsx'
import { RatesView } from './rates-view.tsx'
import { ThresholdView } from './threshold-view.tsx'
import { TryText } from './try-text.tsx'

const VIEWS = ['try', 'threshold', 'curve', 'compare', 'rates'] as const
type View = (typeof VIEWS)[number]

const tab = (Show: ComponentType, word: string, about: string) => ({ Show, word, about })
const LOOKS: Readonly<Record<View, ReturnType<typeof tab>>> = {
  try: tab(TryText, 'Try a text', 'Probe what you type, while you type'),
  threshold: tab(
    ThresholdView,
    'Threshold',
    'Hits that appear and disappear over all messages of the session',
  ),
  curve: tab(
    CurveView,
    'Precision and recall',
    'Labelled queries at every threshold, by embedder and collection',
  ),
  compare: tab(CompareEmbedders, 'Two embedders', 'The same queries, side by side'),
  rates: tab(
    RatesView,
    'Hit rates',
    'How often something is found, by session and over the corpus; keywords that are still needed',
  ),
}

/** The tab that was open last, while the window is open. */
const useView = createKeptState<View>('try')

/** Trial of thresholds, embedders and texts. Nothing here changes the configuration in force. */
export function ProbeLab({ onClose }: { readonly onClose: () => void }) {
  const [view, setView] = useView()
  useEffect(loadServiceOnce, [])
  const { Show } = LOOKS[view]
  return (
    <Dialog title="Probe lab" className="modal-full" onClose={onClose}>
      <Tabs
        label="Probe lab"
        names={VIEWS}
        value={view}
        looks={{
          root: 'column fill',
          list: 'plab-tabs no-shrink line-below flex',
          button: 'tab',
          panel: 'column fill scroll',
        }}
        lookOf={(name) => LOOKS[name]}
        panelFocus={false}
        onChoose={setView}
      >
        <Show />
      </Tabs>
    </Dialog>
  )
}
