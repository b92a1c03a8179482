import { Tabs } from '@base-ui/react/tabs'
import { type ComponentType, useState } from 'react'
import { type Study, patchView, STUDIES } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Ablation } from './ablation.tsx'
import { type Behind, BehindPane } from './behind.tsx'
import { Coverage } from './coverage.tsx'
import { LintView } from './lint.tsx'
import { MatrixView } from './matrix.tsx'
import { Metrics } from './metrics.tsx'
import { Suggestions } from './suggestions.tsx'
import type { StudyProps } from './study-props.ts'
import { WhatIfView } from './what-if.tsx'
import './lab.css'

interface Look {
  readonly word: string
  readonly about: string
  readonly View: ComponentType<StudyProps>
}

const LOOKS: Readonly<Record<Study, Look>> = {
  metrics: { word: 'Metrics', about: 'How right the labelled turns are', View: Metrics },
  matrix: { word: 'Matrix', about: 'What fires together, and who loses', View: MatrixView },
  coverage: { word: 'Coverage', about: 'Turns that no signal reaches', View: Coverage },
  ablation: { word: 'Ablation', about: 'What each signal is worth', View: Ablation },
  'what-if': { word: 'What-if', about: 'Other thresholds, other momentum', View: WhatIfView },
  suggestions: {
    word: 'Suggestions',
    about: 'Signals that labelled turns ask for',
    View: Suggestions,
  },
  lint: { word: 'Lint', about: 'What is wrong with signals, and where', View: LintView },
}

/** Questions to the corpus; every number opens its turns, on the right. */
export function LabPanel() {
  const study = useApp((state) => state.view.study)
  const [behind, setBehind] = useState<Behind | null>(null)
  return (
    <section className="study shrink-y flex full-height" aria-label="Lab">
      <Tabs.Root
        className="grow flex"
        orientation="vertical"
        value={study}
        onValueChange={(value: unknown) => {
          const chosen = STUDIES.find((name) => name === value)
          if (!chosen) return
          setBehind(null)
          patchView({ study: chosen })
        }}
      >
        <Tabs.List
          className="study-tabs column no-shrink scroll on-panel line-end"
          aria-label="Studies"
        >
          {STUDIES.map((name) => (
            <Tabs.Tab
              key={name}
              value={name}
              className="study-tab pad-5-12 no-shrink text-s dim brighten"
              title={LOOKS[name].about}
            >
              {LOOKS[name].word}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {STUDIES.map((name) => {
          const { View } = LOOKS[name]
          if (name !== study) return null
          return (
            <Tabs.Panel
              key={name}
              value={name}
              className="study-panel column grow scroll"
              tabIndex={0}
            >
              <View onBehind={setBehind} />
            </Tabs.Panel>
          )
        })}
      </Tabs.Root>
      {behind && <BehindPane behind={behind} onClose={() => setBehind(null)} />}
    </section>
  )
}
