import type { Feature } from '../../app/feature.ts'
import { linkPart, readOneOf } from '../../app/link.ts'
import { moveToEnd } from '../../app/select.ts'
import { store, THINGS } from '../../app/store.ts'
import {
  changeSpeed,
  followPlay,
  leave,
  present,
  showThing,
  stepBreak,
  stepEvidence,
  stepFlip,
  stepThing,
  stepTurn,
  togglePlay,
} from './store.ts'
import { Presenter } from './presenter.tsx'
import './presenter.css'

/** [U137] [U138] [U139] Actions of keys on the stage. Presenters send Page Down and Page Up. */
const KEYS: ReadonlyMap<string, () => void> = new Map([
  ['ArrowRight', () => stepThing(1)],
  ['PageDown', () => stepThing(1)],
  ['ArrowLeft', () => stepThing(-1)],
  ['PageUp', () => stepThing(-1)],
  ['ArrowDown', () => stepTurn(1)],
  ['j', () => stepTurn(1)],
  ['ArrowUp', () => stepTurn(-1)],
  ['k', () => stepTurn(-1)],
  ['Home', () => moveToEnd('first')],
  ['End', () => moveToEnd('last')],
  [' ', togglePlay],
  ['+', () => changeSpeed(1)],
  ['=', () => changeSpeed(1)],
  ['-', () => changeSpeed(-1)],
  ['n', () => stepFlip(1)],
  ['p', () => stepFlip(-1)],
  ['b', () => stepBreak(1)],
  ['B', () => stepBreak(-1)],
  ['e', () => stepEvidence(1)],
  ['E', () => stepEvidence(-1)],
  ['1', () => showThing('message')],
  ['2', () => showThing('decision')],
  ['3', () => showThing('momentum')],
  ['.', () => void leave()],
])

/** Commands that are also of use on a stage: help, theme, link, the steps of a tour. */
const PASSED = new Set(['?', 't', 'y', '>', '<'])

function onKey(event: KeyboardEvent): boolean {
  if (store.getState().view.present === null) return false
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  // A focused button is pressed by Space.
  const isButton = event.target instanceof Element && event.target.closest('button') !== null
  if (isButton && event.key === ' ') return false
  const act = KEYS.get(event.key)
  act?.()
  // Keys that open parts of the workbench are taken, because those parts would open out of sight.
  return (
    act !== undefined || (event.key.length === 1 && !PASSED.has(event.key) && event.key !== ' ')
  )
}

export const presenting: Feature = {
  slots: { Stage: Presenter },
  start: followPlay,
  onKey,
  escape: leave,
  link: [
    linkPart('present', 'present', {
      read: (text) => readOneOf(THINGS, text),
      of: ({ view }) => view.present?.thing ?? null,
    }),
  ],
  commands: {
    Look: {
      present: [
        '.',
        'Presenter mode: one thing at a time, in large letters',
        present,
        { order: 1, also: ['Stage', 'Full screen'] },
      ],
    },
  },
}
