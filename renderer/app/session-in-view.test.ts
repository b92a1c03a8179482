import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { valueOf } from './async-data.ts'
import { find, findNext } from '../features/find/find.ts'
import { chooseCompare, chooseRun, runReplay } from './replay.ts'
import { ensureRows, rowAt, toggleWhole } from './rows.ts'
import { move, selectSeq, selectTurn } from './select.ts'
import {
  type Script,
  begin,
  inputsOf,
  now,
  startWindow,
} from '../../fixtures/window/scripted-host.ts'

let script: Script
beforeEach(() => {
  script = startWindow()
})

describe('selection', () => {
  it('moves by turn, user message, break, resisted turn and flip; stays at the ends', async () => {
    await begin('s=sample:st-003&compare=literal')
    const at = () => now().view.selected
    expect([move('turn', 1), at()]).toEqual([true, 4])
    expect([move('user', 1), at()]).toEqual([true, 5])
    expect([move('resist', 1), at()]).toEqual([true, 7])
    expect([move('break', 1), at()]).toEqual([true, 9])
    expect([move('turn', 1), at()]).toEqual([false, 9])
    expect([move('flip', -1), at()]).toEqual([true, 8])
    expect([move('event', -1), at()]).toEqual([true, 7])
  })

  it('explains the compared preset too, only where the two differ', async () => {
    await begin('s=sample:st-003&compare=literal&turn=1')
    expect(now().session.otherTrace.status).toBe('idle')
    selectTurn(3)
    await eventually(() => {
      expect(valueOf(now().session.otherTrace)?.momentum.reason).toBe('under literal')
      expect(valueOf(now().session.trace)?.turn).toBe(3)
    })
  })

  it('shows the record of an event that is not classified', async () => {
    await begin()
    selectSeq(2)
    await eventually(() => expect(valueOf(now().session.raw)?.seq).toBe(2))
    expect(now().session.trace.status).toBe('idle')
  })

  it('never asks for the same trace twice', async () => {
    await begin('s=sample:st-003&turn=2&preset=field')
    const asked = () => inputsOf(script, 'session.trace').length
    // A question that is left before its answer came is asked again.
    await eventually(() => expect(valueOf(now().session.trace)?.turn).toBe(1))
    selectTurn(4)
    await eventually(() => expect(valueOf(now().session.trace)?.turn).toBe(4))
    const before = asked()
    selectTurn(1)
    selectTurn(4)
    await eventually(() => expect(valueOf(now().session.trace)?.turn).toBe(4))
    expect(asked()).toBe(before)
  })
})

describe('replay', () => {
  it('keeps the old answer on screen until the new one is here', async () => {
    await begin()
    chooseRun({ preset: 'literal' })
    expect(now().session.replay.status).toBe('loading')
    expect(valueOf(now().session.replay)?.columns.config.preset).toBe('recommended')
    await eventually(() => {
      expect(valueOf(now().session.replay)?.columns.config.preset).toBe('literal')
      expect(valueOf(now().session.trace)?.momentum.reason).toBe('under literal')
    })
  })

  it('never compares a preset with itself', async () => {
    await begin('s=sample:st-003&compare=literal')
    chooseRun({ preset: 'literal' })
    expect(now().view.compare).toBeNull()
    chooseCompare('literal')
    expect(now().view.compare).toBeNull()
  })

  it('leaves the list of flips when there is nothing to compare', async () => {
    await begin('s=sample:st-003&compare=literal&show=flips')
    chooseCompare(null)
    expect(now().view.show).toBe('all')
  })

  it('remembers the choice for the next start', async () => {
    await begin()
    chooseRun({ preset: 'field' })
    expect(inputsOf(script, 'settings.set')).toContainEqual({
      preset: 'field',
      domains: 'default',
      profile: null,
    })
  })
})

describe('a domain file that is saved under its name', () => {
  it('decides turns anew that were visited before', async () => {
    await begin('s=sample:st-003&turn=2&preset=field&compare=literal')
    selectTurn(4)
    await eventually(() => expect(valueOf(now().session.trace)?.turn).toBe(4))
    script.saved += 1
    runReplay()
    await eventually(() => {
      expect(valueOf(now().session.trace)?.momentum.reason).toBe('under field, saved')
      expect(valueOf(now().session.otherTrace)?.momentum.reason).toBe('under literal, saved')
    })
    selectTurn(1)
    await eventually(() => {
      expect(valueOf(now().session.trace)?.turn).toBe(1)
      expect(valueOf(now().session.trace)?.momentum.reason).toBe('under field, saved')
    })
  })

  it('keeps no answer that came while its replay was under way', async () => {
    await begin('s=sample:st-003&turn=2&preset=field')
    const { saved } = script
    script.saved += 1
    runReplay()
    selectTurn(4)
    await eventually(() => expect(valueOf(now().session.trace)?.turn).toBe(4))
    script.saved = saved
    runReplay()
    await eventually(() => {
      expect(now().session.replay.status).toBe('ready')
      expect(valueOf(now().session.trace)?.momentum.reason).toBe('under field')
    })
  })

  it('marks its signals in rows anew', async () => {
    await begin()
    ensureRows(0, 10)
    await eventually(() => expect(rowAt(now().session.windows, 3)).not.toBeNull())
    const before = inputsOf(script, 'session.rows').length
    script.saved += 1
    runReplay()
    await eventually(() => {
      ensureRows(0, 10)
      expect(inputsOf(script, 'session.rows').length).toBe(before + 1)
    })
  })
})

describe('rows', () => {
  it('come in windows of 100, each asked for once', async () => {
    await begin()
    ensureRows(90, 120)
    ensureRows(95, 130)
    await eventually(() => expect(rowAt(now().session.windows, 120)?.seq).toBe(120))
    ensureRows(90, 249)
    await eventually(() => expect(rowAt(now().session.windows, 249)?.seq).toBe(249))
    const asked = inputsOf(script, 'session.rows') as Array<{ from: number; to: number }>
    // The first window comes without marks, then with them.
    expect(asked.map(({ from, to }) => [from, to])).toEqual([
      [0, 100],
      [0, 100],
      [100, 200],
      [200, 250],
    ])
  })

  it('are marked again under another preset, and stay readable meanwhile', async () => {
    await begin()
    ensureRows(0, 10)
    await eventually(() => expect(rowAt(now().session.windows, 3)?.name).toBe('recommended'))
    chooseRun({ preset: 'literal' })
    ensureRows(0, 10)
    expect(rowAt(now().session.windows, 3)?.name).toBe('recommended')
    await eventually(() => {
      // The list requests rows whenever their configuration has changed.
      ensureRows(0, 10)
      expect(rowAt(now().session.windows, 3)?.name).toBe('literal')
    })
  })

  it('show their whole text and their beginning again', async () => {
    await begin()
    await toggleWhole(3)
    expect(now().session.whole.get(3)?.text).toHaveLength(1000)
    await toggleWhole(3)
    expect(now().session.whole.has(3)).toBe(false)
  })
})

describe('find', () =>
  it('goes to the first result at or after the selection and around the end', async () => {
    await begin('s=sample:st-003&turn=2')
    await find('pip')
    expect(now().view).toMatchObject({ selected: 5, find: { at: 1 } })
    findNext(1)
    findNext(1)
    expect(now().view).toMatchObject({ selected: 2, find: { at: 0 } })
  }))
