import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Compared } from '../../core/engine/schema/compare.ts'
import { type HostEvent, type TurnscopeContract, contract } from '../../core/wire/contract.ts'
import { type Feed, createFeed } from '../../core/wire/stream-of.ts'
import { portPair } from '../../fixtures/port-pair.ts'
import { type Handlers, connect, RpcError, serve } from '../../core/wire/rpc.ts'
import { linkOf, readLink, writeLink } from './url.ts'
import { idle, ready, valueOf } from './async-data.ts'
import { browserHistory } from '../../fixtures/browser-history.ts'
import { online } from './boot.ts'
import { followHistory } from './history.ts'
import { goTo } from './go-to.ts'
import { jumpTo } from '../features/lab-corpus/corpus.ts'
import { find, findNext } from '../features/find/find.ts'
import { failureOf, setHost } from './host.ts'
import { fetchParts } from './on-demand.tsx'
import { cancelOpen, openFile, openSource } from './open.ts'
import { pathIn, pathsIn } from './pasted-paths.ts'
import { chooseCompare, chooseRun, replayGrown, runReplay } from './replay.ts'
import { ensureRows, rowAt, toggleWhole } from '../features/turns/rows.ts'
import { chooseTab, move, selectSeq, selectTurn } from './select.ts'
import { initialState, patchView, store } from './store.ts'

// What is shown here needs no part that is fetched later.
vi.mock('./on-demand.tsx', async (original) => ({ ...(await original()), fetchParts: vi.fn() }))

/** These tests compare configurations alone. */
function plain(side: Compared): Extract<Compared, { readonly preset: string }> {
  if ('kind' in side) throw new Error('no configuration')
  return side
}

/** Events of the scripted session: user, agent, tool result, and so on; users and tools are turns. */
const KINDS = [11, 0, 1, 3, 4, 0, 1, 4, 4, 0]
const TURNS = KINDS.flatMap((kind, seq) => (kind === 0 || kind === 4 ? [seq] : []))
const MANY = 250

interface Script {
  readonly calls: Array<{ readonly name: string; readonly input: unknown }>
  /** Ends of streams that were cancelled. */
  readonly cancelled: string[]
  slowOpen: boolean
  /** What `host.info` waits for. */
  info: Promise<unknown>
  /** What the last part of the opened file waits for; null: all is there at once. */
  rest: Promise<unknown> | null
  /** What of the file is there before `rest`. */
  early: { readonly sessions: number; readonly events: number }
  /** What the shell tells the window. */
  readonly told: Feed<HostEvent>
  /** The preset that the settings name. */
  preset: string
  /** Changes when the domain file is saved: its name stays. */
  saved: number
}

function columnsOf(config: { preset: string; domains: string; profile: string | null }) {
  const literal = config.preset === 'literal'
  return {
    config: { ...config, classify: null },
    domains: ['coding', 'file_ops'],
    turns: TURNS.length,
    seq: TURNS,
    primary: TURNS.map((_, turn) => (literal && turn >= 3 ? 1 : 0)),
    secondary: TURNS.map(() => -1),
    primaryScore: TURNS.map(() => 1),
    secondaryScore: TURNS.map(() => 0),
    scoredPrimary: TURNS.map(() => 0),
    momentum: TURNS.map((_, turn) => turn + 1),
    event: [1, 0, 0, literal ? 5 : 3, 0, 5],
    rule: [1, 0, 0, literal ? 3 : 4, 0, 3],
    resisted: TURNS.map((_, turn) => (turn === 3 && !literal ? 1 : -1)),
    enriched: TURNS.map(() => 1),
    scoreStart: [0, 0, 0, 0, 0, 0, 0],
    scorePairs: [],
    threshold: 3,
    cutOffs: [],
    warnings: [],
  }
}

const state = {
  signature: 'coding',
  momentum: 1,
  primary: 'coding',
  resistedRun: 0,
  unsupportedRun: 0,
}
const part = { domain: 'coding', confidence: 1, signals: [0] }

function traceOf(turn: number, preset: string) {
  return {
    turn,
    seq: TURNS[turn] ?? 0,
    kind: 'user' as const,
    text: 'fix it',
    input: { chars: 6, cutChars: 0, thinkingChars: 0 },
    domains: [],
    scored: {
      primary: part,
      secondary: null,
      signature: 'coding',
      margin: null,
      tieBreak: null,
      ambiguous: null,
    },
    momentum: {
      event: 'same' as const,
      rule: 'M1',
      reason: `under ${preset}`,
      threshold: 3,
      before: state,
      after: state,
      resisted: null,
      decayed: false,
    },
    primary: part,
    secondary: null,
    signature: 'coding',
    plan: {
      primary_enrichment: true,
      secondary_enrichment: false,
      reason_primary_skipped: null,
      reason_secondary_skipped: 'no_secondary_classified' as const,
    },
    enrichment: '',
    log: [],
    written: { _bst_domain: 'coding', _bst_compound: {} },
    whyNot: [],
    warnings: [],
  }
}

function kindAt(seq: number): number {
  return KINDS[seq] ?? 1
}

/** What the store calls; methods that are not scripted answer NO_METHOD, as an older host would. */
function handlersOf(script: Script): Partial<Handlers<TurnscopeContract>> {
  const preset = (name: string) => ({ name, title: name, help: '', differs: [] })
  return {
    'host.info': async () => {
      await script.info
      return {
        version: '0',
        mode: 'serve',
        workspace: 'w',
        formats: [],
        presets: ['recommended', 'literal', 'field'].map(preset),
        domainFiles: [{ name: 'default', problem: null }],
        profiles: [],
        nativeDialog: false,
      }
    },
    'host.events': (_, { signal }) => script.told.values(signal),
    'host.domains': () => ({ domains: [], warnings: [] }),
    'settings.get': () => ({
      theme: 'light',
      preset: script.preset,
      domains: 'default',
      profile: 'gone',
      tourSeen: true,
    }),
    'settings.set': (patch) => ({
      theme: 'light',
      preset: 'recommended',
      domains: 'default',
      profile: null,
      tourSeen: true,
      ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)),
    }),
    'library.list': () => ({
      samples: [
        {
          id: 'st-003',
          title: 'ST-003',
          about: '',
          preset: null,
          compare: 'literal',
          profile: null,
        },
      ],
      recent: [],
    }),
    'library.forget': () => ({}),
    'dialog.open': () => ({ paths: [] }),
    'upload.begin': () => ({ upload: 'up' }),
    'upload.chunk': () => ({ received: 0 }),
    'upload.renew': ({ from }) => ({ from }),
    'session.open': async function* ({ source }, { signal }) {
      signal.addEventListener('abort', () => script.cancelled.push('session.open'))
      if (source.kind === 'path' && source.path === '/missing')
        throw new RpcError('REFUSED', 'there is no such file', {
          where: '/missing',
          do: 'Check the path',
        })
      yield { kind: 'progress', phase: 'reading', done: 1, total: 2 }
      if (script.slowOpen) await new Promise(() => undefined)
      const session = (index: number, events: number) => ({
        index,
        id: `s${index}`,
        title: '',
        thread: 'main',
        parent: null,
        startedAtEvent: null,
        startedAt: null,
        cwd: null,
        events,
        kinds: {},
      })
      const { early, rest } = script
      const all = [session(0, MANY), session(1, MANY)]
      const first = all.slice(0, early.sessions).map(({ index }) => session(index, early.events))
      yield {
        kind: 'opened',
        key: 'key',
        name: 'st-003.jsonl',
        path: source.kind === 'path' ? source.path : null,
        format: 'native',
        formatLabel: 'Native',
        bytes: 2,
        lines: 2,
        sessions: rest === null ? all : first,
        files: [],
        problems: 0,
        skipped: {},
        complete: rest === null,
      }
      if (rest === null) return
      await rest
      script.rest = null
      const whole = { bytes: 2, lines: 2, sessions: all, files: [] }
      yield { kind: 'grown', ...whole, problems: 0, skipped: {}, complete: true, generation: 0 }
    },
    'session.close': () => ({}),
    'session.index': ({ from }) => {
      const length = (script.rest === null ? MANY : script.early.events) - from
      return {
        kind: Array.from({ length }, (_, at) => kindAt(from + at)),
        at: Array.from({ length }, () => 0),
        chars: Array.from({ length }, () => 5),
        exchange: Array.from({ length }, () => 0),
      }
    },
    'session.replay': async function* ({ config, compare }) {
      await Promise.resolve()
      yield { kind: 'progress', phase: 'replaying', done: 1, total: 2 }
      yield {
        kind: 'replayed',
        ...{ run: JSON.stringify([config, script.saved]), from: 0 },
        key: JSON.stringify([config, script.saved]),
        compareKey: compare && JSON.stringify([compare, script.saved]),
        columns: columnsOf(config),
        compare: compare && columnsOf(plain(compare)),
        flips: compare
          ? [3, 4, 5].map((turn) => ({
              turn,
              other: turn,
              fields: ['primary' as const],
              cause: turn === 3 ? ('direct' as const) : ('momentum' as const),
              since: 3,
            }))
          : [],
        oneSided: compare && { base: 0, other: 0 },
        elapsedMs: 1,
      }
    },
    'session.rows': ({ from, to, maxChars, config }) => ({
      rows: Array.from({ length: Math.min(to, MANY) - from }, (_, at) => ({
        seq: from + at,
        kind: 'user' as const,
        name: config?.preset ?? null,
        callId: null,
        isError: false,
        model: null,
        at: null,
        line: 1,
        text: 'x'.repeat(Math.min(maxChars, 1000)),
        chars: 1000,
        marks: [],
      })),
      key: config && JSON.stringify([config, script.saved]),
    }),
    'session.trace': ({ turn, config }) => {
      const { preset } = plain(config)
      return traceOf(turn, script.saved > 0 ? `${preset}, saved` : preset)
    },
    'session.raw': ({ seq }) => ({
      line: seq + 1,
      offset: 0,
      length: 2,
      text: '{}',
      truncated: false,
    }),
    'session.problems': () => ({ problems: [], total: 0 }),
    'session.line': () => ({ text: '', truncated: false }),
    'session.find': () => ({ seqs: [2, 5, 9], more: false, problem: null, cutOff: 0 }),
  }
}

/** A host in this process behind the real router and the real contract. */
function startHost(): Script {
  const script: Script = {
    ...{ calls: [], cancelled: [], slowOpen: false, saved: 0 },
    ...{ info: Promise.resolve(), rest: null, preset: 'recommended' },
    ...{ early: { sessions: 2, events: MANY }, told: createFeed<HostEvent>() },
  }
  const { left, right } = portPair()
  serve(contract, handlersOf(script) as Handlers<TurnscopeContract>, left)
  const client = connect<TurnscopeContract>(right)
  const spied: typeof client = {
    call: (name, input, signal) => {
      script.calls.push({ name, input })
      return client.call(name, input, signal)
    },
    subscribe: (name, input, on) => {
      script.calls.push({ name, input })
      return client.subscribe(name, input, on)
    },
  }
  connected = spied
  return script
}
let connected: Parameters<typeof online>[0]

const now = () => store.getState()
const settled = () => vi.waitFor(() => expect(now().session.trace.status).toBe('ready'))
const inputsOf = (script: Script, name: string) =>
  script.calls.filter((call) => call.name === name).map((call) => call.input)

let script: Script
beforeEach(() => {
  store.setState(initialState, true)
  script = startHost()
})

async function begin(fragment = 's=sample:st-003'): Promise<void> {
  await online(connected, fragment, () => undefined)
  await settled()
}

describe('[L108] a link into a file that is still being read', () => {
  const open = async (place: string, early: Script['early']) => {
    const { promise, resolve } = Promise.withResolvers()
    Object.assign(script, { rest: promise, early })
    await begin(`s=path:/a.jsonl&${place}`)
    return () => resolve(null)
  }
  const index = () => now().session.index

  it('waits for an event that comes later, with the first turn in its place', async () => {
    const read = await open('event=200', { sessions: 1, events: 50 })
    expect(now().view.selected).toBe(TURNS[0])
    read()
    await vi.waitFor(() => expect(now().view.selected).toBe(200), 5000)
    expect(now().session.awaited).toBeNull()
  })

  it.each(['n=1', 'id=s1'])('waits for the session %s', async (place) => {
    const read = await open(`${place}&event=7`, { sessions: 1, events: 50 })
    expect(index()).toBe(0)
    read()
    await vi.waitFor(() => expect([index(), now().view.selected]).toEqual([1, 7]), 5000)
    expect(now().view.notice).toBeNull()
  })

  it('a reader who goes elsewhere stays there', async () => {
    const read = await open('event=200', { sessions: 1, events: 50 })
    selectSeq(9)
    read()
    await vi.waitFor(() => expect(valueOf(now().session.replay)?.events).toBe(MANY), 5000)
    expect(now().view.selected).toBe(9)
  })

  it.each([
    ['n=8', 'There is no session 9'],
    ['id=gone', 'There is no session "gone"'],
  ])('says when there is no session %s', async (place, what) => {
    const read = await open(`${place}&event=7`, { sessions: 1, events: 50 })
    expect(now().view.notice).toBeNull()
    read()
    const notice = { what, where: 'a.jsonl', do: 'The first one is shown.' }
    await vi.waitFor(() => expect(now().view.notice).toEqual(notice))
    expect(index()).toBe(0)
  })
})

it('[I85] a turn of the lab opens in its own session, which need not be the largest of the file', async () => {
  await begin()
  const one = { path: '/b.jsonl', key: null, inFile: 1, id: 's1', title: '', turns: 7, labels: 0 }
  jumpTo(one, { turn: 2 })
  await vi.waitFor(() => expect([now().session.index, now().view.selected]).toEqual([1, TURNS[2]]))
})

describe('[L108] what the system hands over', () => {
  const link = (rest: object) => ({
    ...{ kind: 'open' as const, source: { kind: 'path' as const, path: '/b.jsonl' } },
    ...{ turn: null, tab: null, ...rest },
  })

  it('opens a session at an event, by its number or by its id', async () => {
    await begin()
    script.told.put(link({ session: 1, event: 7 }))
    await vi.waitFor(() => expect([now().session.index, now().view.selected]).toEqual([1, 7]))
    script.told.put(link({ id: 's1', event: 9 }))
    await vi.waitFor(() => expect([now().session.index, now().view.selected]).toEqual([1, 9]))
  })

  it('goes to a session of the open file by its id', async () => {
    await begin('s=path:/a.jsonl')
    goTo(readLink('s=path:/a.jsonl&id=s1&event=7'))
    await vi.waitFor(() => expect([now().session.index, now().view.selected]).toEqual([1, 7]))
    goTo(readLink('s=path:/a.jsonl&id=s1&event=9'))
    expect([now().session.index, now().view.selected]).toEqual([1, 9])
    expect(inputsOf(script, 'session.open')).toHaveLength(1)
    goTo(readLink('s=path:/a.jsonl&id=gone'))
    await vi.waitFor(() => expect(now().view.notice?.what).toBe('There is no session "gone"'))
  })

  it('a link that was refused leaves all as it is, and is said', async () => {
    await begin()
    const before = now()
    const problem = { what: 'the link cannot be used', where: 'turnscope://run', do: 'Use open.' }
    script.told.put({ kind: 'refused', ...problem })
    await vi.waitFor(() => expect(now().view.notice).toEqual(problem))
    expect(now()).toEqual({ ...before, view: { ...before.view, notice: problem } })
    expect(inputsOf(script, 'session.open')).toHaveLength(1)
  })
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
    await vi.waitFor(() => expect(placeOf('host.info')).toBeGreaterThan(-1))
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
    const boot = online(connected, 's=path:/a.jsonl', () => undefined)
    await settled()
    expect(now().view.run.preset).toBe('gone')
    held.resolve(null)
    await boot
    await vi.waitFor(() =>
      expect(valueOf(now().session.replay)?.columns.config.preset).toBe('recommended'),
    )
    expect(now().view.run.preset).toBe('recommended')
  })

  const infoAsked = () => vi.waitFor(() => expect(placeOf('host.info')).toBeGreaterThan(-1))

  it('[U202] the first screen does not wait for what the host offers', async () => {
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, '', () => undefined)
    await vi.waitFor(() => expect(now().document.started).toBe(true))
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
    await vi.waitFor(() => expect(now().document.started).toBe(true))
    openSource({ kind: 'sample', id: 'st-003' })
    await infoAsked()
    expect(now().document.opened.status).toBe('loading')
    expect(placeOf('session.open')).toBe(-1)
    held.resolve(null)
    await boot
    await vi.waitFor(() => expect(now().document.opened.status).toBe('ready'))
    expect(now().view.compare).toMatchObject({ preset: 'literal' })
  })

  it('[U202] and is given up like any other', async () => {
    const held = Promise.withResolvers()
    script.info = held.promise
    const boot = online(connected, '', () => undefined)
    await vi.waitFor(() => expect(now().document.started).toBe(true))
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
    await vi.waitFor(() => expect(fetchParts).toHaveBeenCalled())
    expect(valueOf(now().session.replay)?.events).toBe(MANY)
  })

  it('[U188] the first rows are asked for without marks, before the replay and what the host offers', async () => {
    await begin('s=path:/a.jsonl')
    expect(rowsAsked()[0]).toMatchObject({ from: 0, to: 100, config: null })
    expect(placeOf('session.rows')).toBeLessThan(placeOf('session.replay'))
    expect(placeOf('session.rows')).toBeLessThan(placeOf('host.info'))
    ensureRows(0, 10)
    await vi.waitFor(() => expect(rowAt(now().session.windows, 3)?.name).toBe('recommended'))
  })

  it('[U188] rows that were marked before the first replay are not asked for again after it', async () => {
    await begin('s=path:/a.jsonl')
    ensureRows(0, 10)
    await vi.waitFor(() => expect(rowAt(now().session.windows, 3)?.name).toBe('recommended'))
    const asked = rowsAsked().length
    store.setState({ session: { ...now().session, replay: idle } })
    ensureRows(0, 10)
    await vi.waitFor(() => expect(rowsAsked()).toHaveLength(asked + 1))
    runReplay()
    await vi.waitFor(() => expect(now().session.replay.status).toBe('ready'))
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
    await vi.waitFor(() => expect(placeOf('session.answers')).toBeGreaterThan(-1))
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
})

describe('opening', () => {
  it('loads what the host offers, and drops settings that the host does not know', async () => {
    await online(connected, '', () => undefined)
    expect(now().document.info.status).toBe('ready')
    expect(now().view).toMatchObject({
      theme: 'light',
      run: { preset: 'recommended', profile: null },
    })
    expect(now().document.opened.status).toBe('idle')
  })

  it('opens a sample with the comparison it is best seen with, at its first turn', async () => {
    await online(connected, '', () => undefined)
    openSource({ kind: 'sample', id: 'st-003' })
    await settled()
    expect(now().view).toMatchObject({ selected: 1, compare: { preset: 'literal' } })
    expect(valueOf(now().session.replay)?.flips).toHaveLength(3)
  })

  it('restores a deep link: session, turn, tab, preset, comparison', async () => {
    await begin('s=sample:st-003&n=1&turn=4&tab=momentum&preset=field&compare=literal&show=flips')
    expect(now().session.index).toBe(1)
    expect(now().view).toMatchObject({
      selected: TURNS[3],
      tab: 'momentum',
      show: 'flips',
      run: { preset: 'field' },
      compare: { preset: 'literal' },
    })
  })

  it('ignores what a link names and the host does not have', async () => {
    await begin('s=sample:st-003&n=9&turn=999&preset=none&compare=none')
    expect(now().session.index).toBe(0)
    expect(now().view).toMatchObject({ selected: 9, run: { preset: 'recommended' }, compare: null })
  })

  it('says what, where and what to do when a file cannot be opened', async () => {
    await online(connected, 's=path:/missing', () => undefined)
    await vi.waitFor(() =>
      expect(now().document.opened).toMatchObject({
        status: 'failed',
        failure: { what: 'There is no such file', where: '/missing', do: 'Check the path' },
      }),
    )
  })

  it('[I85] a file that cannot be opened does not close the session on screen', async () => {
    await begin()
    const before = now().document
    openSource({ kind: 'path', path: '/missing' })
    await vi.waitFor(() => expect(now().view.notice).toMatchObject({ where: '/missing' }))
    expect(now().document).toMatchObject({ source: before.source, pending: null, growth: null })
    expect(now().document.opened).toBe(before.opened)
    expect(now().session.replay.status).toBe('ready')
    expect(inputsOf(script, 'session.close')).toEqual([])
    openSource({ kind: 'path', path: '/good' })
    await vi.waitFor(() => expect(now().document.source).toEqual({ kind: 'path', path: '/good' }))
    expect(inputsOf(script, 'session.close')).toEqual([{ key: 'key' }])
    expect(now().view.notice).toBeNull()
  })

  it('[I87] a typed or pasted path is a path, other text is none', () => {
    expect(pathIn(' "/logs/my session.jsonl"\n')).toBe('/logs/my session.jsonl')
    expect(pathIn('file:///logs/a%20b.jsonl')).toBe('/logs/a b.jsonl')
    expect(pathIn('C:\\logs\\a.jsonl')).toBe('C:\\logs\\a.jsonl')
    expect(pathIn("'~/logs/a b.jsonl'")).toBe('~/logs/a b.jsonl')
    expect(pathIn('~/logs/a\\ b.jsonl ')).toBe('~/logs/a b.jsonl')
    expect(pathIn('file://localhost/logs/a.jsonl')).toBe('/logs/a.jsonl')
    for (const text of ['~', '~home', 'retry.py', '/a\n/b', 'turn 4', '/'])
      expect(pathIn(text)).toBe(null)
  })

  it('cancels on the host too', async () => {
    script.slowOpen = true
    await online(connected, '', () => undefined)
    openSource({ kind: 'path', path: '/big' })
    await vi.waitFor(() =>
      expect(now().document.opened).toMatchObject({ status: 'loading', progress: { done: 1 } }),
    )
    cancelOpen()
    expect(now().document.opened.status).toBe('idle')
    await vi.waitFor(() => expect(script.cancelled).toEqual(['session.open']))
  })

  it('sends a dropped file in chunks of at most 1 MiB, in order, and opens it', async () => {
    await online(connected, '', () => undefined)
    const bytes = new Uint8Array(2_500_000).map((_, at) => at % 251)
    await openFile({ file: new File([bytes], 'mine.jsonl'), handle: null })
    await settled()
    const chunks = inputsOf(script, 'upload.chunk') as Array<{ data: string }>
    expect(chunks).toHaveLength(3)
    const joined = Buffer.concat(chunks.map(({ data }) => Buffer.from(data, 'base64')))
    expect(joined.equals(Buffer.from(bytes))).toBe(true)
    const source = { kind: 'upload', name: 'mine.jsonl', upload: 'up' }
    await vi.waitFor(() =>
      expect(now().document).toMatchObject({ source, opened: { status: 'ready' } }),
    )
  })

  it('[I96] asks for a dropped file again where the link does not say which upload it was', async () => {
    await online(connected, 's=upload:mine.jsonl', () => undefined)
    expect(now().document.opened).toMatchObject({
      status: 'failed',
      failure: { where: 'mine.jsonl' },
    })
  })
})

it('[I97] pasted lines are paths, or none is', () => {
  expect(pathsIn('/a.jsonl\n"/b c.jsonl"\r\n\nfile:///d.jsonl\n')).toEqual([
    '/a.jsonl',
    '/b c.jsonl',
    '/d.jsonl',
  ])
  expect(pathsIn('/a.jsonl\nand prose')).toEqual([])
  expect(pathsIn('')).toEqual([])
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
    await vi.waitFor(() => {
      expect(valueOf(now().session.otherTrace)?.momentum.reason).toBe('under literal')
      expect(valueOf(now().session.trace)?.turn).toBe(3)
    })
  })

  it('shows the record of an event that is not classified', async () => {
    await begin()
    selectSeq(2)
    await vi.waitFor(() => expect(valueOf(now().session.raw)?.seq).toBe(2))
    expect(now().session.trace.status).toBe('idle')
  })

  it('never asks for the same trace twice', async () => {
    await begin('s=sample:st-003&turn=2&preset=field')
    const asked = () => inputsOf(script, 'session.trace').length
    // A question that is left before its answer came is asked again.
    await vi.waitFor(() => expect(valueOf(now().session.trace)?.turn).toBe(1))
    selectTurn(4)
    await vi.waitFor(() => expect(valueOf(now().session.trace)?.turn).toBe(4))
    const before = asked()
    selectTurn(1)
    selectTurn(4)
    await settled()
    expect(valueOf(now().session.trace)?.turn).toBe(4)
    expect(asked()).toBe(before)
  })
})

describe('replay', () => {
  it('keeps the old answer on screen until the new one is here', async () => {
    await begin()
    chooseRun({ preset: 'literal' })
    expect(now().session.replay.status).toBe('loading')
    expect(valueOf(now().session.replay)?.columns.config.preset).toBe('recommended')
    await vi.waitFor(() => {
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
    await vi.waitFor(() => expect(valueOf(now().session.trace)?.turn).toBe(4))
    script.saved += 1
    runReplay()
    await vi.waitFor(() => {
      expect(valueOf(now().session.trace)?.momentum.reason).toBe('under field, saved')
      expect(valueOf(now().session.otherTrace)?.momentum.reason).toBe('under literal, saved')
    })
    selectTurn(1)
    await vi.waitFor(() => {
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
    await vi.waitFor(() => expect(valueOf(now().session.trace)?.turn).toBe(4))
    script.saved = saved
    runReplay()
    await vi.waitFor(() => {
      expect(now().session.replay.status).toBe('ready')
      expect(valueOf(now().session.trace)?.momentum.reason).toBe('under field')
    })
  })

  it('marks its signals in rows anew', async () => {
    await begin()
    ensureRows(0, 10)
    await vi.waitFor(() => expect(rowAt(now().session.windows, 3)).not.toBeNull())
    const before = inputsOf(script, 'session.rows').length
    script.saved += 1
    runReplay()
    await vi.waitFor(() => {
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
    await vi.waitFor(() => expect(rowAt(now().session.windows, 120)?.seq).toBe(120))
    ensureRows(90, 249)
    await vi.waitFor(() => expect(rowAt(now().session.windows, 249)?.seq).toBe(249))
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
    await vi.waitFor(() => expect(rowAt(now().session.windows, 3)?.name).toBe('recommended'))
    chooseRun({ preset: 'literal' })
    ensureRows(0, 10)
    expect(rowAt(now().session.windows, 3)?.name).toBe('recommended')
    await vi.waitFor(() => {
      // The list asks whenever what its rows hang on is another.
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

describe('the URL', () => {
  const START = 's=sample:st-003&turn=3&compare=literal'

  it('follows what is on screen and restores it', async () => {
    const page = browserHistory(START)
    const { stop } = followHistory(page)
    await begin(page.fragment())
    selectTurn(4)
    chooseTab('why-not')
    await vi.waitFor(() => expect(page.fragment()).toContain('why-not'))
    stop()
    expect(readLink(page.fragment())).toEqual(linkOf(now()))
    expect(readLink(page.fragment())).toMatchObject({
      ...{ turn: 5, tab: 'why-not', compare: 'literal' },
    })
    expect(writeLink(linkOf(now()))).toBe(page.fragment())
  })

  it('is left alone until a session is on screen', async () => {
    const page = browserHistory('s=path:/missing&turn=3')
    const { stop } = followHistory(page)
    await online(connected, page.fragment(), () => undefined)
    await vi.waitFor(() => expect(now().document.opened.status).toBe('failed'))
    stop()
    expect(page.fragments()).toEqual(['s=path:/missing&turn=3'])
  })

  it('[U70] Back and Forward go through tabs, turns, dialogs and sessions', async () => {
    const page = browserHistory(START)
    const { stop, go } = followHistory(page)
    await begin(page.fragment())
    const at = (turn: number) => vi.waitFor(() => expect(page.fragment()).toContain(`turn=${turn}`))
    await at(3)
    const places = page.fragments().length
    // A held key: many steps, one place.
    for (let times = 0; times < 40; times += 1) selectTurn(times % 6)
    selectTurn(5)
    await at(6)
    expect(page.fragments().length - places).toBeLessThanOrEqual(1)
    chooseTab('raw')
    patchView({ dialog: 'help' })
    await vi.waitFor(() => expect(page.fragment()).toContain('tab=raw'))
    patchView({ dialog: null })
    go(-1)
    await vi.waitFor(() => expect(now().view.tab).toBe('decision'))
    expect(now().view.dialog).toBeNull()
    go(-1)
    await vi.waitFor(() => expect(linkOf(now()).turn).toBe(3))
    go(1)
    await vi.waitFor(() => expect(linkOf(now()).turn).toBe(6))
    openSource({ kind: 'sample', id: 'other' })
    await vi.waitFor(() => expect(page.fragment()).toContain('s=sample:other'))
    go(-1)
    await vi.waitFor(() => expect(page.fragment()).toContain('s=sample:st-003'))
    await vi.waitFor(() => expect(linkOf(now())).toMatchObject({ turn: 6, compare: 'literal' }))
    stop()
  })

  it('[U70] a dialog that is closed leaves no place, and Forward opens it again', async () => {
    const page = browserHistory(START)
    const { stop, go } = followHistory(page)
    await begin(page.fragment())
    await vi.waitFor(() => expect(page.fragment()).toContain('turn=3'))
    patchView({ dialog: 'help' })
    await vi.waitFor(() => expect(page.fragments()).toHaveLength(2))
    go(-1)
    await vi.waitFor(() => expect(now().view.dialog).toBeNull())
    go(1)
    await vi.waitFor(() => expect(now().view.dialog).toBe('help'))
    patchView({ dialog: null })
    go(1)
    await vi.waitFor(() => expect(now().view.dialog).toBe('help'))
    stop()
  })
})

describe('a host that is not there', () =>
  it('fails with CLOSED, in words', () => {
    setHost(null)
    expect(failureOf(new RpcError('CLOSED', 'the host went away'), 'Turn 3')).toEqual({
      what: 'The host went away',
      where: 'Turn 3',
      do: 'Wait for the connection to come back, then try again.',
    })
  }))
