import type { Feature } from '../../app/feature.ts'
import { PromptTab } from './prompt-tab.tsx'
import { queriesLane } from './lane-row.tsx'
import './prompt.css'

export const prompt: Feature = {
  lanes: [queriesLane],
  tab: {
    id: 'prompt',
    title: 'Prompt',
    about: 'The prompt that this message would have been answered with',
    key: '5',
    Content: PromptTab,
  },
}
