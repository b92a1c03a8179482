import type { Feature } from '../../app/feature.ts'
import { MomentumTab } from './momentum.tsx'
import './momentum.css'

export const momentum: Feature = {
  tab: {
    id: 'momentum',
    title: 'Momentum',
    about: 'Momentum before and after this turn',
    group: 'The decision',
    key: '3',
    OfTurn: MomentumTab,
  },
}
