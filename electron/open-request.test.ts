import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HostEvent } from '../core/wire/contract.ts'
import { parseDeepLink } from '../core/host/windows/deep-link.ts'
import { linkEvent, openRequests } from './open-request.ts'

const open = (path: string, turn: number | null = null, tab: string | null = null) => ({
  kind: 'open',
  source: { kind: 'path', path },
  turn,
  tab,
})

describe('[L108] deep links', () => {
  it.each([
    ['turnscope://open?path=%2Fhome%2Fa%20b.jsonl', open('/home/a b.jsonl')],
    ['turnscope://open/?path=/x.jsonl&turn=12&tab=why-not', open('/x.jsonl', 12, 'why-not')],
    ['TURNSCOPE://open?path=C%3A%5Clogs%5Cx.jsonl', open('C:\\logs\\x.jsonl')],
    ['turnscope://open?path=/x.jsonl&session=2&turn=3', { ...open('/x.jsonl', 3), session: 1 }],
    [
      'turnscope://open?path=/x.jsonl&id=a%20%26%20b&turn=3',
      { ...open('/x.jsonl', 3), id: 'a & b' },
    ],
    [
      'turnscope://open?path=/x.jsonl&session=1&event=0',
      { ...open('/x.jsonl'), session: 0, event: 0 },
    ],
  ])('%s opens', (link, event) => {
    const parsed = parseDeepLink(link)
    expect(parsed).toEqual({ ok: true, value: event })
    expect(HostEvent.safeParse(event).success).toBe(true)
  })

  it.each([
    ['another scheme', 'https://open?path=/x'],
    ['another verb', 'turnscope://run?path=/x'],
    ['a path behind the verb', 'turnscope://open/x?path=/x'],
    ['no path', 'turnscope://open?turn=1'],
    ['an empty path', 'turnscope://open?path='],
    ['a relative path', 'turnscope://open?path=x.jsonl'],
    ['a Windows share', 'turnscope://open?path=%5C%5Chost%5Cshare%5Cx.jsonl'],
    ['a share with slashes', 'turnscope://open?path=//host/share/x.jsonl'],
    ['a mixed share', 'turnscope://open?path=/%5Chost/share'],
    ['a device behind a drive', 'turnscope://open?path=C://host/x'],
    ['a file URL', 'turnscope://open?path=file:///etc/passwd'],
    ['a NUL', 'turnscope://open?path=/x%00.jsonl'],
    ['a new line', 'turnscope://open?path=/x%0Ay'],
    ['turn 0', 'turnscope://open?path=/x&turn=0'],
    ['a turn that is no number', 'turnscope://open?path=/x&turn=1e3'],
    ['session 0', 'turnscope://open?path=/x&session=0'],
    ['a session by number and by id', 'turnscope://open?path=/x&session=1&id=a'],
    ['an id with a new line', 'turnscope://open?path=/x&id=a%0Ab'],
    ['an empty id', 'turnscope://open?path=/x&id='],
    ['an event below 0', 'turnscope://open?path=/x&event=-1'],
    ['a tab that is no name', 'turnscope://open?path=/x&tab=<b>'],
    ['an unknown part', 'turnscope://open?path=/x&run=rm'],
    ['a part twice', 'turnscope://open?path=/x&path=/y'],
    ['too long a link', `turnscope://open?path=/${'x'.repeat(9000)}`],
    ['no URL', 'turnscope:// ?'],
  ])('%s is refused', (_, link) => {
    const parsed = parseDeepLink(link)
    expect(parsed.ok).toBe(false)
    if (!parsed.ok) expect(parsed.error.what).toMatch(/^the link cannot be used: ./)
  })

  it('every local path survives the way through a link', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const path = `/${parts.map((name) => name.replace(/[\p{Cc}/\\]/gu, '_')).join('/')}`
        const link = `turnscope://open?path=${encodeURIComponent(path)}`
        expect(parseDeepLink(link)).toEqual({ ok: true, value: open(path) })
      }),
    )
  })

  it('no text makes the parser throw', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseDeepLink(text)
        parseDeepLink(`turnscope://open?${text}`)
      }),
    )
  })
})

describe('command lines', () => {
  const files = new Set(['/folder/a.jsonl', '/b.jsonl'])
  const read = (...args: readonly string[]) =>
    openRequests(args, '/folder', (path) => files.has(path))

  it('[I97] files are opened together, relative ones from the folder of the caller', () => {
    const [event, ...more] = read('a.jsonl', '/b.jsonl')
    expect(event).toEqual({ ...open('/folder/a.jsonl'), others: ['/b.jsonl'] })
    expect(HostEvent.safeParse(event).success).toBe(true)
    expect(more).toEqual([])
  })
  it('switches and missing files are left out', () => {
    expect(read('--inspect', '-v', 'gone.jsonl', '', '.')).toEqual([])
  })
  it('[L108] a link that cannot be used opens nothing and says why, after all that is opened', () => {
    const refused = {
      kind: 'refused',
      what: 'the link cannot be used: only "open" is known',
      where: 'turnscope://run?path=/b.jsonl',
      do: expect.stringContaining('turnscope://open?path=') as unknown,
    }
    const events = read('turnscope://run?path=/b.jsonl', 'a.jsonl')
    expect(events).toEqual([open('/folder/a.jsonl'), refused])
    for (const event of events) expect(HostEvent.safeParse(event).success).toBe(true)
  })
  it('[L108] the scheme is read in any case, as URLs are', () => {
    expect(read('TURNSCOPE://open?path=/x')).toEqual([open('/x')])
  })
  it('[L108] what the system hands over as a link is never read as a path', () => {
    expect(linkEvent('/b.jsonl')).toMatchObject({ kind: 'refused' })
    expect(linkEvent('https://elsewhere.example/')).toMatchObject({ kind: 'refused' })
  })
  it('links are read where they stand', () => {
    expect(read('turnscope://open?path=/x&turn=3', 'a.jsonl')).toEqual([
      open('/x', 3),
      open('/folder/a.jsonl'),
    ])
  })
})
