import type { Feature } from '../../app/feature.ts'
import { ProblemsDialog } from './problems-dialog.tsx'
import './problems.css'

export const problems: Feature = { dialogs: { problems: ProblemsDialog } }
