import { type Feature, opens } from '../../app/feature.ts'
import { move, moveToEnd, type Step } from '../../app/select.ts'
import { patchView, SHOWS, store } from '../../app/store.ts'
import { GoTo, TurnByNumber } from './goto.tsx'
import { TurnList } from './turn-list.tsx'
import { wrongIn } from '../../stores/label/wrong.ts'
import { toggleWhole } from '../../app/rows.ts'
import './turns.css'

const step = (kind: Step, by: 1 | -1) => () => {
  move(kind, by)
}

function nextShow(): void {
  const state = store.getState()
  const { show, compare } = state.view
  const isThere = { flips: compare !== null, wrong: wrongIn(state) !== null }
  const usable = SHOWS.filter((name) => name === 'all' || name === 'turns' || isThere[name])
  patchView({ show: usable[(usable.indexOf(show) + 1) % usable.length] ?? 'all' })
}

function showWhole(): void {
  const { selected } = store.getState().view
  if (selected !== null) void toggleWhole(selected)
}

/** Flips are a separate feature and precede these. */
const afterFlips = { order: 1 }

export const turns: Feature = {
  slots: { List: TurnList },
  dialogs: { goto: GoTo },
  palette: [TurnByNumber],
  commands: {
    Move: {
      'next-turn': ['j', 'Next turn', step('turn', 1)],
      'previous-turn': ['k', 'Previous turn', step('turn', -1)],
      'next-user': ['J', 'Next message of the user', step('user', 1)],
      'previous-user': ['K', 'Previous message of the user', step('user', -1)],
      'next-break': ['b', 'Next break of momentum', step('break', 1)],
      'previous-break': ['B', 'Previous break of momentum', step('break', -1)],
      'next-resist': ['r', 'Next resisted turn', step('resist', 1)],
      'previous-resist': ['R', 'Previous resisted turn', step('resist', -1)],
      'next-step': ['s', 'Next pipeline step', step('step', 1), afterFlips],
      'previous-step': ['S', 'Previous pipeline step', step('step', -1), afterFlips],
      goto: [['g', 'mod+g'], 'Go to a turn by its number', opens('goto'), afterFlips],
      'first-turn': ['Home', 'First turn', () => moveToEnd('first'), afterFlips],
      'last-turn': ['End', 'Last turn', () => moveToEnd('last'), afterFlips],
    },
    Look: {
      show: ['f', 'List: all events, turns, flips, wrong turns', nextShow],
      'whole-text': ['e', 'Show the whole text of the selected event', showWhole],
    },
  },
}
