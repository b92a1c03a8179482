import type { Feature } from '../../app/feature.ts'
import { WhyNotTab } from './why-not.tsx'
import './why-not.css'

export const whyNot: Feature = {
  tab: {
    id: 'why-not',
    title: 'Why not',
    about: 'Why no other domain was chosen',
    group: 'The decision',
    key: '2',
    OfTurn: WhyNotTab,
  },
}
