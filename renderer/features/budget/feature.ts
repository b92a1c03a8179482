import type { Feature } from '../../app/feature.ts'
import { EitherBudget } from './budget-tab.tsx'
import './budget.css'

export const budget: Feature = {
  needs: 'text',
  tab: {
    id: 'budget',
    title: 'Budget',
    about: 'Tokens of that prompt against its budget; of a step: its tiers',
    group: 'What the model gets',
    key: '6',
    Content: EitherBudget,
  },
}
