import type { Feature } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import { queriesLane } from './lane-row.tsx'
import './prompt.css'

const PromptTab = onDemand(async () => (await import('./prompt-tab.tsx')).PromptTab)

export const prompt: Feature = {
  needs: 'text',
  lanes: [queriesLane],
  tab: {
    id: 'prompt',
    title: 'Prompt',
    about: 'The prompt that this message would have been answered with',
    group: 'What the model gets',
    key: '5',
    Content: PromptTab,
  },
}
