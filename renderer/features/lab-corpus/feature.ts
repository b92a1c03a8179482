import type { Feature } from '../../app/feature.ts'
import { LabNotice } from './corpus-notes.tsx'
import { DockTools } from './dock-tools.tsx'
import './lab-corpus.css'

/** The sessions that the panels of the dock are about. */
export const labCorpus: Feature = {
  slots: { DockTool: DockTools, DockNote: LabNotice },
}
