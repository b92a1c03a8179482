import { describe, expect, it } from 'vitest'
import { replayOf, rowsOf } from '../../../fixtures/timeline-rows.ts'
import { SKIP_REASONS } from '../../../core/engine/schema/probe.ts'
import { collectionStyles } from '../../ui/collection-style.ts'
import { hitsLane, personaLane } from './lane-row.tsx'
import { barHeight } from './draw-lane.ts'
import { personaAt, personaRuns, personaWords, probeBlock, probeLane, probeWords } from './lane.ts'

interface One {
  readonly seq: number
  readonly similarity?: number
  readonly primary?: number
  readonly hits?: number
  readonly cached?: number
  readonly strength?: number
  readonly persona?: number
  readonly refused?: number
  readonly skipped?: (typeof SKIP_REASONS)[number]
  readonly errors?: number
}

function columnsOf(all: readonly One[]) {
  const column = (name: Exclude<keyof One, 'skipped'>, none = 0) =>
    all.map((one) => one[name] ?? none)
  return {
    collections: ['dnd_campaign', 'system'],
    personas: ['player', 'operator'],
    seq: column('seq'),
    similarity: column('similarity'),
    primary: column('primary', -1),
    hits: column('hits'),
    cached: column('cached'),
    strength: column('strength'),
    persona: column('persona', -1),
    refused: column('refused'),
    skipped: all.map(({ skipped }) => (skipped === undefined ? -1 : SKIP_REASONS.indexOf(skipped))),
    errors: column('errors'),
  }
}

const styles = collectionStyles(['dnd_campaign', 'system'])
const hit = { similarity: 0.7, primary: 0, hits: 2, strength: 3, persona: 0 } as const
const laneOf = (turns: readonly number[], all: readonly One[]) =>
  probeLane(turns, columnsOf(all), styles)

describe('[D50] the lane of hits', () => {
  it('stands at the turn of the message; what is no turn at the one before', () => {
    const lane = laneOf(
      [2, 5, 9],
      [
        { seq: 2, ...hit },
        { seq: 6, ...hit, primary: 1, similarity: 0.5 },
        { seq: 9, skipped: 'too_short', persona: 0 },
      ],
    )
    expect([...lane.has]).toEqual([1, 1, 1])
    expect([...lane.primary]).toEqual([0, 1, -1])
    expect(lane).toMatchObject({ probed: 2, skipped: 1, withHits: 2, failed: 0, refusals: 0 })
    expect(lane.styles.map((style) => style?.code)).toEqual(['D', 'S'])
  })

  it('is hollow only where every hit came from the cache', () => {
    const lane = laneOf(
      [0, 1],
      [
        { seq: 0, ...hit, cached: 2 },
        { seq: 1, ...hit, cached: 1 },
      ],
    )
    expect(probeBlock(lane, 0, 1).cached).toBe(true)
    expect(probeBlock(lane, 1, 2).cached).toBe(false)
  })

  it('keeps the best hit of a block, and what failed in any of its turns', () => {
    const lane = laneOf(
      [0, 1, 2],
      [
        { seq: 0, ...hit, similarity: 0.41, strength: 1, primary: 1, hits: 1 },
        { seq: 1, ...hit },
        { seq: 2, errors: 1 },
      ],
    )
    expect(probeBlock(lane, 0, 3)).toEqual({
      any: true,
      probed: true,
      similarity: lane.similarity[1],
      primary: 0,
      cached: false,
      weak: false,
      failed: true,
    })
    expect(probeBlock(lane, 0, 1).weak).toBe(true)
  })

  it('draws a similarity of 1 to the top of its room and never hides a hit', () => {
    expect(barHeight(1, { height: 34 })).toBe(28)
    expect(barHeight(0.5, { height: 34 })).toBe(14)
    expect(barHeight(0.01, { height: 34 })).toBe(2)
  })

  it('says in words what it draws', () => {
    const lane = laneOf(
      [0, 1, 2],
      [
        { seq: 0, ...hit, cached: 1 },
        { seq: 1, persona: 0, refused: 1, errors: 1 },
        { seq: 2, skipped: 'reflex_command', persona: 0 },
      ],
    )
    expect(probeWords(lane, 0)).toBe('dnd_campaign 0.70, strong, 2 hits; from the cache')
    expect(personaWords(lane, 0)).toBe('switched to player')
    expect(probeWords(lane, 1)).toBe('nothing was hit; a part of the probe failed')
    expect(personaWords(lane, 1)).toBe('player; a switch was refused')
    expect(probeWords(lane, 2)).toBe('not probed: a reflex command')
  })
})

describe('[D50] the persona band', () => {
  it('carries a persona on to the next message, in the colour of what brought it', () => {
    const lane = laneOf(
      [0, 1, 2, 3, 4],
      [
        { seq: 1, ...hit },
        { seq: 3, ...hit, primary: 1, persona: 1 },
      ],
    )
    expect(personaRuns(lane)).toEqual([
      { persona: 0, from: 1, to: 3 },
      { persona: 1, from: 3, to: 5 },
    ])
    expect([...lane.switched]).toEqual([0, 1, 0, 1, 0])
    expect(lane.broughtBy).toEqual([0, 1])
    expect([probeWords(lane, 0), personaWords(lane, 0)]).toEqual(['', ''])
    expect([probeWords(lane, 2), personaAt(lane, 2)]).toEqual(['', 'player'])
  })

  it('has a row with the lane, and none while the lane only says what to do', () => {
    const base = replayOf([0])
    const found = { columns: columnsOf([{ seq: 0, ...hit }]), styles }
    const full = [
      hitsLane.readyFrom(base, { found, note: null }),
      personaLane.readyFrom(base, found),
    ]
    const quiet = [hitsLane.readyFrom(base, { found: null, note: 'what to do' })]
    const kinds = (lanes: typeof full, height?: number) =>
      rowsOf(base, lanes, height).map(({ id }) => id)
    expect(kinds(full)).toEqual(expect.arrayContaining(['probe', 'persona']))
    expect(kinds(quiet)).toContain('probe')
    expect(kinds(quiet)).not.toContain('persona')
    expect(kinds([])).not.toContain('probe')
    // In a low panel the words give way before the lanes do.
    expect(kinds(quiet, 125)).not.toContain('probe')
    expect(kinds(quiet, 125)).toContain('momentum')
  })
})
