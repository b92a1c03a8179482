import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { initialState } from './store.ts'
import { linkOf, linkToCopy, readLink, writeLink } from './url.ts'
import { valueOf } from './async-data.ts'
import { goTo } from './go-to.ts'
import { jumpTo } from '../stores/lab/corpus.ts'
import { selectSeq } from './select.ts'
import {
  type Script,
  begin,
  inputsOf,
  now,
  startWindow,
} from '../../fixtures/window/scripted-host.ts'
import { MANY, TURNS } from '../../fixtures/window/scripted-session.ts'

let script: Script
beforeEach(() => {
  script = startWindow()
})

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
    await eventually(() => expect(now().view.selected).toBe(200))
    expect(now().session.awaited).toBeNull()
  })

  it.each(['n=1', 'id=s1'])('waits for the session %s', async (place) => {
    const read = await open(`${place}&event=7`, { sessions: 1, events: 50 })
    expect(index()).toBe(0)
    read()
    await eventually(() => expect([index(), now().view.selected]).toEqual([1, 7]))
    expect(now().view.notice).toBeNull()
  })

  it('a reader who goes elsewhere stays there', async () => {
    const read = await open('event=200', { sessions: 1, events: 50 })
    selectSeq(9)
    read()
    await eventually(() => expect(valueOf(now().session.replay)?.events).toBe(MANY))
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
    await eventually(() => expect(now().view.notice).toEqual(notice))
    expect(index()).toBe(0)
  })
})

it('[I85] a turn of the lab opens in its own session, which need not be the largest of the file', async () => {
  await begin()
  const one = { path: '/b.jsonl', key: null, inFile: 1, id: 's1', title: '', turns: 7, labels: 0 }
  jumpTo(one, { turn: 2 })
  await eventually(() => expect([now().session.index, now().view.selected]).toEqual([1, TURNS[2]]))
})

describe('[L108] what the system hands over', () => {
  const link = (rest: object) => ({
    kind: 'open' as const,
    source: { kind: 'path' as const, path: '/b.jsonl' },
    turn: null,
    tab: null,
    ...rest,
  })

  it('opens a session at an event, by its number or by its id', async () => {
    await begin()
    script.told.put(link({ session: 1, event: 7 }))
    await eventually(() => expect([now().session.index, now().view.selected]).toEqual([1, 7]))
    script.told.put(link({ id: 's1', event: 9 }))
    await eventually(() => expect([now().session.index, now().view.selected]).toEqual([1, 9]))
  })

  it('goes to a session of the open file by its id', async () => {
    await begin('s=path:/a.jsonl')
    goTo(readLink('s=path:/a.jsonl&id=s1&event=7'))
    await eventually(() => expect([now().session.index, now().view.selected]).toEqual([1, 7]))
    goTo(readLink('s=path:/a.jsonl&id=s1&event=9'))
    expect([now().session.index, now().view.selected]).toEqual([1, 9])
    expect(inputsOf(script, 'session.open')).toHaveLength(1)
    goTo(readLink('s=path:/a.jsonl&id=gone'))
    await eventually(() => expect(now().view.notice?.what).toBe('There is no session "gone"'))
  })

  it('a link that was refused leaves all as it is, and is said', async () => {
    await begin()
    const before = now()
    const problem = { what: 'the link cannot be used', where: 'turnscope://run', do: 'Use open.' }
    script.told.put({ kind: 'refused', ...problem })
    await eventually(() => expect(now().view.notice).toEqual(problem))
    expect(now()).toEqual({ ...before, view: { ...before.view, notice: problem } })
    expect(inputsOf(script, 'session.open')).toHaveLength(1)
  })
})

describe('[U224] a link says what decides the turns', () => {
  const { view } = initialState

  it('names file, turn, preset, domain file and profile, also where they are the usual ones', async () => {
    await begin('s=path:/a.jsonl&turn=2&preset=recommended&domains=default')
    const link = new URLSearchParams(writeLink(linkOf(now())))
    expect(Object.fromEntries(link)).toMatchObject({
      s: 'path:/a.jsonl',
      turn: '2',
      preset: 'recommended',
      domains: 'default',
    })
  })

  it('means the defaults of the workspace where it is silent, not what was chosen last', async () => {
    script.preset = 'field'
    await begin('s=path:/a.jsonl&turn=2')
    expect(now().view.run).toEqual(view.run)
    script = startWindow()
    script.preset = 'field'
    await begin('s=path:/a.jsonl&turn=2&preset=literal')
    expect(now().view.run).toEqual({ ...view.run, preset: 'literal' })
  })

  it('says in one sentence what this workspace does not have', async () => {
    await begin('s=path:/a.jsonl&turn=2&preset=none&domains=gone&profile=lost&compare=nobody')
    await eventually(() =>
      expect(now().view.notice?.what).toBe(
        'This is not exactly what the link shows: this workspace has no preset none and no domain file gone and no profile lost and no compared side nobody',
      ),
    )
    expect(now().view.run.preset).toBe('recommended')
  })

  it('says nothing while all is as it was, and says when a file that decides has changed', async () => {
    await begin('s=path:/a.jsonl&turn=2&preset=recommended&domains=default')
    await eventually(() => expect(linkToCopy(now()).of?.event).toBeTruthy())
    const link = writeLink(linkToCopy(now()))
    expect(writeLink(linkOf(now()))).not.toContain('of=')

    script = startWindow()
    await begin(link)
    await eventually(() => expect(linkToCopy(now()).of?.event).toBeTruthy())
    expect(now().view.notice).toBeNull()

    script = startWindow()
    script.saved = 1
    await begin(link)
    await eventually(() =>
      expect(now().view.notice?.what).toContain(
        'the content of preset recommended, domain file default',
      ),
    )
  })

  it('says when the transcript has another text there', async () => {
    await begin('s=path:/a.jsonl&turn=2&preset=recommended&domains=default')
    await eventually(() => expect(linkToCopy(now()).of?.event).toBeTruthy())
    const { of, ...link } = linkToCopy(now())
    script = startWindow()
    await begin(writeLink({ ...link, of: of && { ...of, event: 'other' } }))
    await eventually(() =>
      expect(now().view.notice?.what).toBe(
        'This is not exactly what the link shows: the transcript has another text at this place',
      ),
    )
  })
})
