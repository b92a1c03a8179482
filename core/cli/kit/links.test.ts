import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../fixtures/any-character.ts'
import { parseDeepLink } from '../../host/windows/deep-link.ts'
import { addressOf, announceDesktop, announceServe, findOpener } from '../../host/windows/opener.ts'
import { linked } from '../../host/platform/terminal.ts'
import { wantsLinks } from './links.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnscope-links-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
const DESKTOP = { kind: 'desktop' } as const
const SERVE = { kind: 'serve', port: 7_000 } as const

describe('[L111] links are written', () => {
  it.each([
    ['auto', { TERM_PROGRAM: 'vscode' }, true, true],
    ['auto', { TERM_PROGRAM: 'vscode' }, false, false],
    ['auto', { TERM_PROGRAM: 'vscode', CI: 'true' }, true, false],
    ['auto', { TERM_PROGRAM: 'vscode', NO_HYPERLINK: '1' }, true, false],
    ['auto', { TERM_PROGRAM: 'Apple_Terminal' }, true, false],
    ['auto', { TERM: 'xterm-256color' }, true, false],
    ['auto', { TERM: 'dumb', VTE_VERSION: '7600' }, true, false],
    ['auto', { VTE_VERSION: '7600' }, true, true],
    ['auto', { VTE_VERSION: '5000' }, true, false],
    ['auto', { KONSOLE_VERSION: '220401' }, true, true],
    ['auto', { KONSOLE_VERSION: '180400' }, true, false],
    ['auto', { FORCE_HYPERLINK: '1' }, true, true],
    ['auto', {}, true, false],
    ['always', { CI: 'true' }, false, true],
    ['never', { FORCE_HYPERLINK: '1' }, true, false],
  ] as const)('%s with %j, terminal %s: %s', (choice, env, isTerminal, wanted) => {
    expect(wantsLinks(choice, env, isTerminal)).toBe(wanted)
  })
})

describe('[F189] [L110] nothing of a name gets into the escape sequence', () => {
  const names = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom(
      'a\u001B]8;;http://x\u0007',
      'b\\c d',
      'é😀 #&=+%',
      '\uD800',
      'x\u009Dy',
      'a\nb',
    ),
  )

  it('of any path: one address of printable ASCII around the text, or the text alone', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(DESKTOP, SERVE), (name, opener) => {
        const address = addressOf(opener, { path: `/${name}`, session: 1, turn: 3 })
        const written = linked(address, 'turn 3')
        if (address === null) expect(written).toBe('turn 3')
        else expect(address).toMatch(/^[\x21-\x7E]+$/u)
        expect(written.split('turn 3')).toHaveLength(2)
      }),
    )
  })

  it('a deep link leads back to the same place', () => {
    fc.assert(
      fc.property(names, fc.nat(40), fc.integer({ min: 1, max: 9_999 }), (name, session, turn) => {
        const path = `/t/${name}`
        const address = addressOf(DESKTOP, { path, session, turn })
        if (address === null || path.length > 1000) return
        expect(parseDeepLink(address)).toEqual({
          ok: true,
          value: { kind: 'open', source: { kind: 'path', path }, turn, tab: null, session },
        })
      }),
    )
  })

  it('an id of a session and a row of a table are encoded as paths are', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(DESKTOP, SERVE), (name, opener) => {
        const row = { results: '/r', file: name, session: name, turn: 1 }
        for (const place of [{ path: '/t', session: name, turn: 1 }, row]) {
          const address = addressOf(opener, place)
          const isSayable = name.isWellFormed() && !/\p{Cc}/u.test(name)
          const isTableOfDesktop = opener === DESKTOP && place === row
          expect(address === null).toBe(!isSayable || isTableOfDesktop)
          expect(address ?? 'none').toMatch(/^[\x21-\x7E]+$/u)
        }
      }),
    )
  })

  it('a deep link leads back to a session by its id', () => {
    const address = addressOf(DESKTOP, { path: '/t', session: 'a & é=#', event: 3 })
    expect(parseDeepLink(address ?? '')).toMatchObject({
      ok: true,
      value: { id: 'a & é=#', event: 3, turn: null },
    })
  })

  it.each(['\u001B]0;x', 'http://x/\u0007', `http://x/${'a'.repeat(3000)}`, 'http://x/é'])(
    '%j is no address',
    (address) => {
      expect(linked(address, 'text')).toBe('text')
    },
  )
})

describe('[L109] who opens a link', () => {
  const env = { XDG_STATE_HOME: folder }

  it('is the serve mode of the workspace while it runs, else the application while it is there', async () => {
    const program = join(folder, 'program')
    writeFileSync(program, '')
    expect(await findOpener('/w', env)).toBeNull()
    await announceDesktop(program, env)
    const forget = await announceServe({ workspace: '/w', port: 7000 }, env)
    expect(await findOpener('/w', env)).toEqual(SERVE)
    expect(await findOpener('/other', env)).toEqual(DESKTOP)
    await forget()
    expect(await findOpener('/w', env)).toEqual(DESKTOP)
    rmSync(program)
    expect(await findOpener('/w', env)).toBeNull()
  })

  it('another one that serves the same workspace since is not forgotten', async () => {
    const forget = await announceServe({ workspace: '/w', port: 7001 }, env)
    const later = await announceServe({ workspace: '/w', port: 7002 }, env)
    await forget()
    expect(await findOpener('/w', env)).toEqual({ kind: 'serve', port: 7002 })
    await later()
  })
})
