import type { Feature } from '../../app/feature.ts'
import { onDemand } from '../../app/on-demand.tsx'
import type { State } from '../../app/store.ts'
import { branchHere, tryMessage, tryMessages } from './begin.ts'
import { followPad, redo, undo } from './state.ts'
import { shownPad } from './pad.ts'
import './scratch.css'

const KeepDialog = onDemand(async () => (await import('./keep-dialog.tsx')).KeepDialog)
const ScratchPanel = onDemand(async () => (await import('./scratch.tsx')).ScratchPanel)

const inPad = {
  words: 'in a scratch session',
  holds: (state: State) => shownPad(state) !== null,
} as const

/** [U160] Messages, outputs and results that are written by hand, and what every stage says of them. */
export const scratchPad: Feature = {
  start: followPad,
  actions: { 'try-messages': tryMessages },
  dialogs: { 'keep-scratch': KeepDialog },
  dockPanel: {
    id: 'scratch',
    title: 'Scratch',
    about: 'Type a message and watch what is decided',
    key: 'O',
    what: 'Scratch: type a message and watch',
    Panel: ScratchPanel,
  },
  commands: {
    Lab: {
      'try-message': [
        'N',
        'Try a message in a new scratch session',
        tryMessage,
        { always: true, order: 2, does: 'writes', also: ['Try a message'] },
      ],
      branch: [
        'H',
        'What if: branch from the selected turn',
        branchHere,
        { order: 2, does: 'writes', also: ['Branch from this turn'] },
      ],
      'scratch-undo': [
        [],
        'Scratch: take the last turn back',
        () => void undo(),
        { only: inPad, order: 2, does: 'deletes', also: ['Undo'] },
      ],
      'scratch-redo': [
        [],
        'Scratch: add it again',
        () => void redo(),
        { only: inPad, order: 2, does: 'writes', also: ['Redo'] },
      ],
    },
  },
}
