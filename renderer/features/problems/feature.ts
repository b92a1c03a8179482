import type { Feature } from '../../app/feature.ts'
import { ProblemsDialog } from './problems-dialog.tsx'

export const problems: Feature = { dialogs: { problems: ProblemsDialog } }
