import type { Words } from '../annotate.ts'
import { SCHEMA_WORD } from './common.ts'

const PLAIN = 'One line of plain text.'
/** Blanks at both ends are cut off before a text is looked at. */
const NOT_BLANK = { allOf: [{ pattern: String.raw`\S` }] } as const

export const TOUR_WORDS: Words = {
  '': 'A walk through one session: stops, each at a turn and with a sentence. `turnscope tour check` holds what it claims against a replay.',
  $schema: SCHEMA_WORD,
  title: { text: `Title, at most 120 characters. ${PLAIN}`, also: NOT_BLANK },
  about: { text: `What the tour shows, at most 400 characters. ${PLAIN}`, also: NOT_BLANK },
  session: {
    text: 'Id of a sample, or name of a transcript without its ending. `any`: it fits every session.',
    examples: ['st-003', 'any'],
    also: NOT_BLANK,
  },
  stops: {
    text: 'The stops, 1 to 40, in order. Each names a turn or an event, one of the two.',
    snippets: [
      {
        label: 'stop',
        description: 'A stop at a turn',
        body: [{ turn: 1, tab: 'decision', place: 'verdict', say: '$1' }],
      },
    ],
  },
  'stops[]': { also: { oneOf: [{ required: ['turn'] }, { required: ['event'] }] } },
  'stops[].turn': 'Number of the turn, from 1 as the screen shows it.',
  'stops[].event':
    'In the place of a turn: number of an event that is none, from 0 as links have it.',
  'stops[].say': {
    text: `The sentence of the stop, at most 600 characters. ${PLAIN}`,
    also: NOT_BLANK,
  },
  'stops[].tab': {
    text: 'Tab of the inspector that is shown. Left out: the one that is there stays.',
    examples: ['decision', 'why-not', 'momentum'],
  },
  'stops[].panel': 'Panel of the dock that is shown. Left out: the dock is closed.',
  'stops[].place': {
    text: 'What the stop points at.',
    values: {
      timeline: 'The timeline.',
      list: 'The list of turns.',
      turn: 'The row of the turn in the list.',
      header: 'The header of the window.',
      tab: 'The tab of the inspector.',
      verdict: 'The decision of the turn.',
      scores: 'The scores of the domains.',
      signals: 'The signals that matched.',
      text: 'The text of the turn.',
      injected: 'The text that is injected.',
      panel: 'The panel of the dock.',
      flips: 'The turns that an edit flips.',
      editor: 'The editor of the domain file.',
    },
  },
  'stops[].preset': 'Preset that is in force at this stop only.',
  'stops[].compare': 'Preset of the other side of a comparison.',
  'stops[].edit': 'A change of one signal that the stop shows. Nobody but the person makes it.',
  'stops[].edit.domain': 'Domain of the signal.',
  'stops[].edit.signal': 'Id of the signal.',
  'stops[].edit.pattern':
    'What its pattern becomes. `null` takes the signal away; left out, the stop only shows it.',
  'stops[].expects': 'What the sentence claims about the turn, for `turnscope tour check`.',
  'stops[].expects.primary': 'Primary domain in force.',
  'stops[].expects.score': 'Score of the primary.',
  'stops[].expects.secondary': 'Secondary domain; `null`: there is none.',
  'stops[].expects.alone': 'Primary of the text by itself, before momentum.',
  'stops[].expects.momentum': 'Momentum after the turn, in turns.',
  'stops[].expects.event': {
    text: 'What momentum made of the turn.',
    values: {
      same: 'The same signature as before.',
      accept: 'Momentum was weak, and another signature was taken.',
      hold: 'Momentum is strong and the new primary is part of the compound: the signature stays.',
      resist: 'Strong momentum held off a domain from outside.',
      widen: 'A secondary joined a strong single domain.',
      break: 'A domain from outside broke strong momentum.',
    },
  },
  'stops[].expects.fired': 'Ids of signals that matched, of any domain. At most 20.',
  'stops[].expects.text': 'Words of the message that the sentence quotes.',
  'stops[].expects.flips': 'Number of turns that the edit of this stop flips.',
}
