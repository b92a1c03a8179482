import { type Feature, opens } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import './playground.css'

const Playground = onDemand(async () => (await import('./playground.tsx')).Playground)

export const playground: Feature = {
  needs: 'text',
  dialogs: { playground: Playground },
  commands: {
    Application: {
      playground: ['c', 'Prompt playground', opens('playground'), { always: true }],
    },
  },
}
