import { Tabs } from '@base-ui/react/tabs'
import { type ComponentType, useEffect, useState } from 'react'
import { loadDeskOnce } from '../probe/probe.ts'
import { Modal } from '../../ui/modal.tsx'
import { CompareEmbedders } from './compare-embedders.tsx'
import { CurveView } from './curve-view.tsx'
import { ThresholdView } from './threshold-view.tsx'
import { TryText } from './try-text.tsx'
import './probe-lab.css'

const VIEWS = ['try', 'threshold', 'curve', 'compare'] as const
type View = (typeof VIEWS)[number]

const LOOKS: Readonly<
  Record<View, { readonly word: string; readonly about: string; readonly Show: ComponentType }>
> = {
  try: { word: 'Try a text', about: 'Probe what you type, while you type', Show: TryText },
  threshold: {
    word: 'Threshold',
    about: 'Hits that appear and disappear over all messages of the session',
    Show: ThresholdView,
  },
  curve: {
    word: 'Precision and recall',
    about: 'Labelled queries at every threshold, by embedder and collection',
    Show: CurveView,
  },
  compare: {
    word: 'Two embedders',
    about: 'The same queries, side by side',
    Show: CompareEmbedders,
  },
}

/** The tab that was open last, while the window is open. */
let last: View = 'try'

/** Thresholds, embedders and texts tried out; nothing here changes what is in force. */
export function ProbeLab({ onClose }: { readonly onClose: () => void }) {
  const [view, setView] = useState<View>(last)
  useEffect(loadDeskOnce, [])
  return (
    <Modal title="Probe lab" className="modal-full" onClose={onClose}>
      <Tabs.Root
        className="column fill"
        value={view}
        onValueChange={(value: unknown) => {
          const chosen = VIEWS.find((name) => name === value)
          if (!chosen) return
          last = chosen
          setView(chosen)
        }}
      >
        <Tabs.List className="plab-tabs no-shrink line-below flex" aria-label="Probe lab">
          {VIEWS.map((name) => (
            <Tabs.Tab key={name} value={name} className="tab" title={LOOKS[name].about}>
              {LOOKS[name].word}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {VIEWS.map((name) => {
          const { Show } = LOOKS[name]
          if (name !== view) return null
          return (
            <Tabs.Panel key={name} value={name} className="column fill scroll" tabIndex={-1}>
              <Show />
            </Tabs.Panel>
          )
        })}
      </Tabs.Root>
    </Modal>
  )
}
