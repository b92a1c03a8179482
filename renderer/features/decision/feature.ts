import type { Feature } from '../../app/feature.ts'
import { Decision } from './decision.tsx'
import './decision.css'

export const decision: Feature = {
  tab: {
    id: 'decision',
    title: 'Decision',
    about: 'What was decided for this turn, and its evidence',
    group: 'The decision',
    key: '1',
    OfTurn: Decision,
  },
}
