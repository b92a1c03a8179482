import type { Feature } from '../../app/feature.ts'
import type { State } from '../../app/store.ts'
import { wrongLane } from './lane-row.tsx'
import { openWrong, wrongIn } from '../../stores/label/wrong.ts'
import { WrongLine } from './wrong-line.tsx'
import { moveToWrong } from './wrong.ts'
import './wrong.css'

const only = { words: 'with labels', holds: (state: State) => (wrongIn(state)?.length ?? 0) > 0 }

/** Turns that the labels of the session call wrong: a segment of the list, a lane, a way from one to the next. */
export const wrong: Feature = {
  lanes: [wrongLane],
  slots: { WrongNote: WrongLine },
  commands: {
    Move: {
      'next-wrong': ['X', 'Next wrong turn', () => moveToWrong(1), { only }],
      'previous-wrong': ['Y', 'Previous wrong turn', () => moveToWrong(-1), { only }],
    },
    Look: {
      'show-wrong': [[], 'List the wrong turns', openWrong, { only }],
    },
  },
}
