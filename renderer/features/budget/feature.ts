import type { Feature } from '../../app/feature.ts'
import { EitherBudget } from './budget-tab.tsx'
import './budget.css'

export const budget: Feature = {
  tab: {
    id: 'budget',
    title: 'Budget',
    about: 'Tokens of that prompt against its budget; of a step: its tiers',
    key: '6',
    Content: EitherBudget,
  },
}
