import { type ComponentType, useState } from 'react'
import { patchView } from '../../app/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { Ablation } from './ablation.tsx'
import { BehindPane } from './behind.tsx'
import { Coverage } from './coverage.tsx'
import { LintView } from './lint.tsx'
import { MatrixView } from './matrix.tsx'
import { Metrics } from './metrics.tsx'
import { ProposalsView } from './proposals.tsx'
import { type Behind, type Study, type StudyProps, STUDIES } from '../../views/lab/studied.tsx'
import { Suggestions } from './suggestions.tsx'
import { WeightsView } from './weights.tsx'
import { WhatIfView } from './what-if.tsx'

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
  proposals: {
    word: 'Proposals',
    about: 'Signals measured where they were not made',
    View: ProposalsView,
  },
  weights: {
    word: 'Weights',
    about: 'What each signal should count, by labels',
    View: WeightsView,
  },
  lint: { word: 'Lint', about: 'What is wrong with signals, and where', View: LintView },
}

/** Questions to the corpus; every number opens its turns, on the right. */
export function LabPanel() {
  const open = useApp((state) => state.view.study)
  const study = STUDIES.find((name) => name === open) ?? 'metrics'
  const [behind, setBehind] = useState<Behind | null>(null)
  const { View } = LOOKS[study]
  return (
    <section className="study shrink-y flex full-height" aria-label="Lab">
      <Tabs
        label="Studies"
        vertical
        names={STUDIES}
        value={study}
        looks={{
          root: 'grow flex',
          list: 'study-tabs column no-shrink scroll on-panel line-end',
          button: 'study-tab pad-5-12 no-shrink text-s dim brighten',
          panel: 'column grow scroll',
        }}
        lookOf={(name) => LOOKS[name]}
        onChoose={(name) => {
          setBehind(null)
          patchView({ study: name })
        }}
      >
        <View onBehind={setBehind} />
      </Tabs>
      {behind && <BehindPane behind={behind} onClose={() => setBehind(null)} />}
    </section>
  )
}
