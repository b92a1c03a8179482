import { type Feature, opens } from '../../app/feature.ts'
import { Playground } from './playground.tsx'
import './playground.css'

export const playground: Feature = {
  needs: 'text',
  dialogs: { playground: Playground },
  commands: {
    Application: {
      playground: ['c', 'Prompt playground', opens('playground'), { always: true }],
    },
  },
}
