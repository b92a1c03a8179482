import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { idle, ready, valueOf } from './async-data.ts'
import { online } from './boot.ts'
import { fetchParts } from './on-demand.tsx'
import { cancelOpen, openSource } from './open.ts'
import { replayGrown, runReplay, startSession } from './replay.ts'
import { ensureRows, rowAt } from './rows.ts'
import { store } from './store.ts'
import {
  type Script,
  begin,
  connected,
  inputsOf,
  now,
  settled,
  startWindow,
} from '../../fixtures/window/scripted-host.ts'
import { MANY } from '../../fixtures/window/scripted-session.ts'

// Nothing shown here needs a lazily loaded script.
vi.mock('./on-demand.tsx', async (original) => ({ ...(await original()), fetchParts: vi.fn() }))

let script: Script
beforeEach(() => {
  script = startWindow()
})

describe('the order of opening', () => {
  const placeOf = (name: string) => script.calls.findIndex((call) => call.name === name)
  const rowsAsked = () =>
    inputsOf(script, 'session.rows') as ReadonlyArray<{ readonly config: unknown }>

  it('[U187] a session is shown and replayed before the host has said what it offers', async () => {
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, 's=path:/a.jsonl', () => undefined)
    await settled()
    expect(now().document.info.status).toBe('idle')
    expect(valueOf(now().session.replay)?.columns.config.preset).toBe('recommended')
    held.resolve(null)
    await boot
    expect(now().document.info.status).toBe('ready')
    expect(inputsOf(script, 'session.replay')).toHaveLength(1)
  })

  it('[U187] what a link names for the host to explain is waited for', async () => {
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, 's=path:/a.jsonl&compare=literal', () => undefined)
    await eventually(() => expect(placeOf('host.info')).toBeGreaterThan(-1))
    expect(placeOf('session.open')).toBe(-1)
    held.resolve(null)
    await boot
    await settled()
    expect(now().view.compare).toMatchObject({ preset: 'literal' })
  })

  it('[U187] a preset that there is not gives way when the host has said so, and turns are decided anew', async () => {
    script.preset = 'gone'
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, 's=path:/a.jsonl&preset=gone', () => undefined)
    await settled()
    expect(now().view.run.preset).toBe('gone')
    held.resolve(null)
    await boot
    await eventually(() =>
      expect(valueOf(now().session.replay)?.columns.config.preset).toBe('recommended'),
    )
    expect(now().view.run.preset).toBe('recommended')
  })

  const infoAsked = () => eventually(() => expect(placeOf('host.info')).toBeGreaterThan(-1))

  it('[U202] the first screen does not wait for what the host offers', async () => {
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, '', () => undefined)
    await eventually(() => expect(now().document.started).toBe(true))
    expect(now().document.info.status).toBe('idle')
    expect(valueOf(now().document.library)?.samples).toHaveLength(1)
    held.resolve(null)
    await boot
    expect(now().document.info.status).toBe('ready')
  })

  it('[U202] it is not shown before a link that waits for that', async () => {
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, 's=sample:st-003', () => undefined)
    await infoAsked()
    expect(now().document.started).toBe(false)
    held.resolve(null)
    await boot
    expect(now().document).toMatchObject({ started: true, source: { kind: 'sample' } })
  })

  it('[U202] a sample that is chosen before opens with its comparison when the host has said what there is', async () => {
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, '', () => undefined)
    await eventually(() => expect(now().document.started).toBe(true))
    openSource({ kind: 'sample', id: 'st-003' })
    await infoAsked()
    expect(now().document.opened.status).toBe('loading')
    expect(placeOf('session.open')).toBe(-1)
    held.resolve(null)
    await boot
    await eventually(() => expect(now().document.opened.status).toBe('ready'))
    expect(now().view.compare).toMatchObject({ preset: 'literal' })
  })

  it('[U202] and is given up like any other', async () => {
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, '', () => undefined)
    await eventually(() => expect(now().document.started).toBe(true))
    openSource({ kind: 'sample', id: 'st-003' })
    cancelOpen()
    held.resolve(null)
    await boot
    expect(now().document.info.status).toBe('ready')
    expect(placeOf('session.open')).toBe(-1)
  })

  it('[U200] parts of the window are fetched when the turns are decided, not while they are', async () => {
    vi.mocked(fetchParts).mockClear()
    const rest = Promise.withResolvers()
    script.rest = rest.promise
    await online(connected, 's=path:/a.jsonl', () => undefined)
    await settled()
    expect(now().document.info.status).toBe('ready')
    expect(fetchParts).not.toHaveBeenCalled()
    rest.resolve(null)
    await eventually(() => expect(fetchParts).toHaveBeenCalled())
    expect(valueOf(now().session.replay)?.events).toBe(MANY)
  })

  it('[U188] the first rows are asked for without marks, before the replay and what the host offers', async () => {
    await begin('s=path:/a.jsonl')
    expect(rowsAsked()[0]).toMatchObject({ from: 0, to: 100, config: null })
    expect(placeOf('session.rows')).toBeLessThan(placeOf('session.replay'))
    expect(placeOf('session.rows')).toBeLessThan(placeOf('host.info'))
    ensureRows(0, 10)
    await eventually(() => expect(rowAt(now().session.windows, 3)?.name).toBe('recommended'))
  })

  it('[U188] rows that were marked before the first replay are not asked for again after it', async () => {
    await begin('s=path:/a.jsonl')
    ensureRows(0, 10)
    await eventually(() => expect(rowAt(now().session.windows, 3)?.name).toBe('recommended'))
    const asked = rowsAsked().length
    store.setState({ session: { ...now().session, replay: idle } })
    ensureRows(0, 10)
    await eventually(() => expect(rowsAsked()).toHaveLength(asked + 1))
    runReplay()
    await eventually(() => expect(now().session.replay.status).toBe('ready'))
    ensureRows(0, 10)
    expect(rowsAsked()).toHaveLength(asked + 1)
  })

  it('[U189] what nobody waits for is asked when all is read and replayed', async () => {
    const rest = Promise.withResolvers()
    script.rest = rest.promise
    await begin('s=path:/a.jsonl')
    expect(now().session.replay.status).toBe('ready')
    expect(placeOf('session.answers')).toBe(-1)
    rest.resolve(null)
    await eventually(() => expect(placeOf('session.answers')).toBeGreaterThan(-1))
  })

  it('[U189] what nobody waits for is asked when the page has had time left since the replay', async () => {
    const idle: Array<() => void> = []
    vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
    onTestFinished(() => void vi.unstubAllGlobals())
    await begin('s=path:/a.jsonl')
    await settled()
    expect(now().session.replay.status).toBe('ready')
    expect(placeOf('session.answers')).toBe(-1)
    for (const act of idle) act()
    await eventually(() => expect(placeOf('session.answers')).toBeGreaterThan(-1))
    // Another session is drawn from the start.
    startSession(1)
    expect(now().session.isDrawn).toBe(false)
  })

  it('[U191] a file that is read to its end is replayed on at once, one that is still read is not', async () => {
    await begin('s=path:/a.jsonl')
    const { session, document } = now()
    const opened = valueOf(document.opened)
    const replayed = valueOf(session.replay)
    if (!opened || !replayed) throw new Error('the session is replayed')
    // A replay of fewer events than there are, after which a growing file waits for eight seconds.
    const behind = ready({ ...replayed, events: 1, elapsedMs: 60_000 })
    const asked = () => inputsOf(script, 'session.replay').length
    const before = asked()
    for (const complete of [false, true]) {
      store.setState({
        document: { ...document, opened: ready({ ...opened, complete }) },
        session: { ...session, replay: behind },
      })
      replayGrown()
      await settled()
      expect(asked()).toBe(complete ? before + 1 : before)
    }
  })

  it('[U191] a replay that has seen more than the window knew is not run again when the window learns it', async () => {
    const rest = Promise.withResolvers()
    script.rest = rest.promise
    script.early = { sessions: 2, events: 3 }
    script.replayed = MANY
    await begin('s=path:/a.jsonl')
    expect(valueOf(now().session.replay)?.events).toBe(MANY)
    rest.resolve(null)
    await eventually(() => expect(valueOf(now().session.events)?.kind).toHaveLength(MANY))
    await settled()
    expect(inputsOf(script, 'session.replay')).toHaveLength(1)
  })

  it('[U11] domains that are asked again and did not change stay the same list', async () => {
    await begin('s=path:/a.jsonl')
    const before = valueOf(now().session.domains)
    const asked = inputsOf(script, 'host.domains').length
    script.saved += 1
    runReplay()
    await eventually(() => expect(inputsOf(script, 'host.domains').length).toBeGreaterThan(asked))
    await settled()
    expect(valueOf(now().session.domains)).toBe(before)
  })
})
