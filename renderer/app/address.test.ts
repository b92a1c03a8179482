import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../fixtures/eventually.ts'
import { RpcError } from '../../core/wire/rpc.ts'
import { linkOf, readLink, writeLink } from './url.ts'
import { browserHistory } from '../../fixtures/browser-history.ts'
import { online } from './boot.ts'
import { followHistory } from './history.ts'
import { failureOf, setHost } from './host.ts'
import { openSource } from './open.ts'
import { chooseTab, selectTurn } from './select.ts'
import { patchView } from './store.ts'
import { begin, connected, now, startWindow } from '../../fixtures/window/scripted-host.ts'

beforeEach(() => void startWindow())

describe('the URL', () => {
  const START = 's=sample:st-003&turn=3&compare=literal'

  it('follows what is on screen and restores it', async () => {
    const page = browserHistory(START)
    const { stop } = followHistory(page)
    await begin(page.fragment())
    selectTurn(4)
    chooseTab('why-not')
    await eventually(() => expect(page.fragment()).toContain('why-not'))
    stop()
    expect(readLink(page.fragment())).toEqual(linkOf(now()))
    expect(readLink(page.fragment())).toMatchObject({
      turn: 5,
      tab: 'why-not',
      compare: 'literal',
    })
    expect(writeLink(linkOf(now()))).toBe(page.fragment())
  })

  it('is left alone until a session is on screen', async () => {
    const page = browserHistory('s=path:/missing&turn=3')
    const { stop } = followHistory(page)
    await online(connected, page.fragment(), () => undefined)
    await eventually(() => expect(now().document.opened.status).toBe('failed'))
    stop()
    expect(page.fragments()).toEqual(['s=path:/missing&turn=3'])
  })

  it('[U70] Back and Forward go through tabs, turns, dialogs and sessions', async () => {
    const page = browserHistory(START)
    const { stop, go } = followHistory(page)
    await begin(page.fragment())
    const at = (turn: number) => eventually(() => expect(page.fragment()).toContain(`turn=${turn}`))
    // The address says so from the start: the session has to be there, too.
    await eventually(() => expect(linkOf(now()).turn).toBe(3))
    await at(3)
    const places = page.fragments().length
    // A held key: many steps, one place.
    for (let times = 0; times < 40; times += 1) selectTurn(times % 6)
    selectTurn(5)
    await at(6)
    expect(page.fragments().length - places).toBeLessThanOrEqual(1)
    chooseTab('raw')
    patchView({ dialog: 'help' })
    await eventually(() => expect(page.fragment()).toContain('tab=raw'))
    patchView({ dialog: null })
    go(-1)
    await eventually(() => expect(now().view.tab).toBe('decision'))
    expect(now().view.dialog).toBeNull()
    go(-1)
    await eventually(() => expect(linkOf(now()).turn).toBe(3))
    go(1)
    await eventually(() => expect(linkOf(now()).turn).toBe(6))
    openSource({ kind: 'sample', id: 'other' })
    await eventually(() => expect(page.fragment()).toContain('s=sample:other'))
    go(-1)
    await eventually(() => expect(page.fragment()).toContain('s=sample:st-003'))
    await eventually(() => expect(linkOf(now())).toMatchObject({ turn: 6, compare: 'literal' }))
    stop()
  })

  it('[U70] a dialog that is closed leaves no place, and Forward opens it again', async () => {
    const page = browserHistory(START)
    const { stop, go } = followHistory(page)
    await begin(page.fragment())
    await eventually(() => expect(page.fragment()).toContain('turn=3'))
    patchView({ dialog: 'help' })
    await eventually(() => expect(page.fragments()).toHaveLength(2))
    go(-1)
    await eventually(() => expect(now().view.dialog).toBeNull())
    go(1)
    await eventually(() => expect(now().view.dialog).toBe('help'))
    patchView({ dialog: null })
    go(1)
    await eventually(() => expect(now().view.dialog).toBe('help'))
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
