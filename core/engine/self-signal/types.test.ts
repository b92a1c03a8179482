import { expect, it } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { SelfSignalType } from '../schema/self-signal.ts'
import { isTerminal } from './fields.ts'
import { readResponse } from './response.ts'

const options = promptPreset('recommended').selfSignal

/** Minimum content of each type, as an agent writes it. */
const NEEDED: Readonly<Record<SelfSignalType, string>> = {
  need_turn: '<reason>two files left</reason>',
  context_sufficient: '<sources_found>3</sources_found>',
  stuck: '<attempted>["ssh"]</attempted><blocker>no access to it</blocker>',
  need_capability: '<capability>browser</capability><reason>the page is drawn</reason>',
  partial_answer: '<missing>the second table</missing>',
  delegation_recommended: '<reason>it is large</reason><scope>all of the tests</scope>',
}

const read = (type: string, fields: string) =>
  readResponse(`Well.\n<signal type="${type}">${fields}</signal>`, options).signal

it('[S0] there are six types: three end the work, three go on with it', () => {
  const types = SelfSignalType.options
  expect(types).toHaveLength(6)
  expect(types.filter(isTerminal).toSorted()).toEqual([
    'context_sufficient',
    'partial_answer',
    'stuck',
  ])
  expect(read('finished', NEEDED.stuck)).toBeNull()
})

it.each(SelfSignalType.options)(
  '[S0] %s needs its fields, and keeps those nobody knows',
  (type) => {
    const known = read(type, NEEDED[type])
    expect(known?.type).toBe(type)
    expect(read(type, '')).toBeNull()
    const more = read(type, `${NEEDED[type]}<weather>mild</weather>`)
    expect(more?.fields).toEqual({ ...known?.fields, weather: 'mild' })
  },
)
