import { onDemand } from '../../app/on-demand.tsx'
import type { Feature } from '../../app/feature.ts'
import { contextRow } from './lane-row.tsx'

const ContextTab = onDemand(async () => (await import('./context-tab.tsx')).ContextTab)

export const context: Feature = {
  needs: 'text',
  tab: {
    id: 'context',
    title: 'Context',
    about: 'What was in the context of the model call: parts, tokens, window',
    group: 'What the model gets',
    key: 'q',
    Content: ContextTab,
  },
  lanes: [contextRow],
}
