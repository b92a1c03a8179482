import { describe, expect, it } from 'vitest'
import {
  defaultPipeline,
  replay,
  sampleLabels,
  sampleSession,
  type Label,
  type ReplayedTurn,
} from '../../../fixtures/workspace.ts'

/** compound-bst.md, "Validation Against ST-003", on our session with the default domains. */
const session = await sampleSession('st-003.jsonl')
const labels = await sampleLabels(session, 'st-003.labels.jsonl')
const recommended = replay(await defaultPipeline('recommended'), session)
const literal = replay(await defaultPipeline('literal'), session)

function labelled(accept: (label: Label) => boolean): ReadonlySet<number> {
  return new Set(labels.filter(accept).map((label) => label.turn))
}
/** A command such as `ls`, `cat`, `pip`, which says nothing about the work. */
const operational = labelled((label) => /^`(?:ls|cat|pip)`/u.test(label.note ?? ''))
const research = labelled((label) => label.primary === 'investigation')
const mixed = labelled((label) => label.primary === 'investigation' && label.secondary === 'coding')

function withPrimary(turns: readonly ReplayedTurn[], domain: string): number {
  return turns.filter((turn) => turn.outcome.primary.domain === domain).length
}

function compounds(turns: readonly ReplayedTurn[]): number {
  return turns.filter(
    ({ turn, outcome }) => mixed.has(turn) && outcome.signature === 'coding+investigation',
  ).length
}

/** Operational turns that left the signature as it was. */
function unmoved(turns: readonly ReplayedTurn[]): readonly number[] {
  return turns
    .filter(({ turn, outcome }) => {
      const before = turns[turn - 2]?.outcome.signature
      return operational.has(turn) && outcome.signature === before
    })
    .map(({ turn }) => turn)
}

const METHOD = '[BST] Domain: investigation\nTreat this as research'
function guided(turns: readonly ReplayedTurn[]): number {
  return turns.filter(
    ({ turn, outcome }) => research.has(turn) && outcome.enrichment.startsWith(METHOD),
  ).length
}

describe('ST-003 session', () => {
  it('is an agent session of 40 turns and more, every turn labelled', () => {
    expect(session.events.length).toBe(104)
    expect(recommended).toHaveLength(47)
    expect(labels.map((label) => label.turn)).toEqual(recommended.map(({ turn }) => turn))
    expect([operational.size, research.size, mixed.size]).toEqual([6, 28, 7])
  })

  it('recommended never puts a turn where its label forbids', () => {
    const wrong = labels.filter((label) =>
      label.forbidden?.includes(recommended[label.turn - 1]?.outcome.primary.domain ?? ''),
    )
    expect(wrong).toEqual([])
  })
})

describe('ST-003 validation under recommended', () => {
  it('1: the majority of turns is investigation', () => {
    expect(withPrimary(recommended, 'investigation')).toBe(28)
    expect(withPrimary(recommended, 'prompt_engineering')).toBe(0)
  })

  it('2: every turn of research and API calls is the compound', () =>
    expect(compounds(recommended)).toBe(7))

  it('[B1] 3: ls, cat and pip never move the classification', () => {
    expect(unmoved(recommended)).toEqual([...operational])
    const events = [...operational].map((turn) => recommended[turn - 1]?.outcome.event)
    expect(new Set(events)).toEqual(new Set(['resist']))
  })

  it('4: every research turn gets the method of investigation, none gets guidance on code', () =>
    expect(guided(recommended)).toBe(28))

  it('real shifts break at once: planning, then a bug', () => {
    expect(recommended[35]?.outcome).toMatchObject({ event: 'break', signature: 'planning' })
    expect(recommended[39]?.outcome.primary.domain).toBe('bugfix')
  })
})

describe('ST-003 under literal: where the deployed rules fail', () => {
  it('1: investigation loses the majority', () =>
    expect(withPrimary(literal, 'investigation')).toBe(23))

  it('2: strong investigation swallows the compound in 4 of 7 turns', () => {
    expect(compounds(literal)).toBe(3)
    expect([13, 14, 15, 16].map((turn) => literal[turn - 1]?.outcome.signature)).toEqual(
      Array(4).fill('investigation'),
    )
  })

  it('3: every operational command but one in a run moves the classification', () => {
    expect(unmoved(literal)).toEqual([])
    expect(literal[6]?.outcome).toMatchObject({ event: 'break', primary: { domain: 'file_ops' } })
    expect(literal[19]?.outcome).toMatchObject({ event: 'break', signature: 'system_admin' })
  })

  it('4: the method of investigation is missing where files are listed', () =>
    expect(guided(literal)).toBe(23))
})
