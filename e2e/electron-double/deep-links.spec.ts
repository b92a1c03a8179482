import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { eventsAfter } from './checks.ts'
import { type Double, launch, startDouble, waitUntil, withDouble } from './launch.ts'

const line = (value: object): string => `${JSON.stringify(value)}\n`
const session = (id: string, texts: readonly string[]): string =>
  line({ type: 'session', schemaVersion: 1, id, title: id }) +
  texts.map((text, at) => line({ kind: at % 2 === 0 ? 'user' : 'agent', text })).join('')

/** The first session is the larger one, which a link that names none opens; event 2 of the other one is its turn 2. */
const SESSIONS =
  session('one', ['fix it', 'ok', 'plan it', 'ok', 'test it']) +
  session('the other & more', ['hello', 'hi', 'fix the parser'])

let folder = ''
let file = ''
let elsewhere = ''

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnscope-links-'))
  file = join(folder, 'a name & ünïcode.jsonl')
  elsewhere = join(folder, 'elsewhere.jsonl')
  await writeFile(file, SESSIONS)
  await writeFile(elsewhere, session('elsewhere', ['go on']))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const linkTo = (place: Readonly<Record<string, string>>): string =>
  `turnscope://open?${new URLSearchParams({ path: file, ...place }).toString().replaceAll('+', '%20')}`
const fire = (double: Double, event: string, ...args: readonly unknown[]) =>
  double.ask({ op: 'appEvent', event, args })

/** The place that the window shows, as its address says it. */
const hashOf = (double: Double) => double.evaluate<string>('location.hash.slice(1)')
async function shows(double: Double, path: string, place: Readonly<Record<string, string>>) {
  await waitUntil(
    async () => {
      const shown = new URLSearchParams(await hashOf(double))
      const isThere = Object.entries(place).every(([key, value]) => shown.get(key) === value)
      return isThere && shown.get('s') === `path:${path}`
    },
    double,
    30_000,
  )
}
const AT_EVENT = { n: '1', turn: '2' }

test('[L108] electron double: a link on the command line of the first start opens the session at the event', async () => {
  await withDouble({ args: [linkTo({ session: '2', event: '2' })] }, async (double) => {
    await shows(double, file, AT_EVENT)
    expect((await double.state()).recentDocuments).toEqual([file])
  })
})

test('[L108] electron double: a link that the system hands over while the application starts is not lost', async () => {
  const double = await launch()
  try {
    await fire(double, 'open-url', linkTo({ session: '2', event: '2' }))
    await waitUntil(async () => (await double.state()).visible, double, 20_000)
    await shows(double, file, AT_EVENT)
  } finally {
    await double.stop()
  }
})

test('[L108] electron double: a link that cannot be used at the first start is said in the window', async () => {
  await withDouble({ args: ['turnscope://open?path=//host/share/x.jsonl'] }, async (double) => {
    await said(double, '"path": must be an absolute path on this machine')
    expect((await double.state()).recentDocuments).toEqual([])
  })
})

test('[F167] electron double: a link to a file that is not there is no recent document; one that opens is, once', async () => {
  const missing = join(folder, 'missing.jsonl')
  const link = `turnscope://open?path=${encodeURIComponent(missing)}`
  await withDouble({ args: [link] }, async (double) => {
    await said(double, 'no such file')
    expect((await double.state()).recentDocuments).toEqual([])
    await fire(double, 'open-url', linkTo({ session: '2', event: '2' }))
    await shows(double, file, AT_EVENT)
    expect((await double.state()).recentDocuments).toEqual([file])
  })
})

/** The window says so. */
const said = (double: Double, words: string) =>
  waitUntil(
    () => double.evaluate<boolean>(`document.body.innerText.includes(${JSON.stringify(words)})`),
    double,
    40_000,
  )

/** Links that any web page may contain, and the message for each. */
const HOSTILE: ReadonlyArray<readonly [link: string, words: string]> = [
  ['turnscope://run?path=/x.jsonl', 'only "open" is known'],
  ['turnscope://open/../run?path=/x.jsonl', 'only "open" is known'],
  ['turnscope://user:secret@elsewhere.example/?path=/x.jsonl', 'only "open" is known'],
  ['turnscope:open?path=/x.jsonl', 'only "open" is known'],
  ['turnscope:///etc/passwd', 'only "open" is known'],
  ['turnscope://open', '"path" is missing'],
  ['turnscope://open?path=x.jsonl', 'must be an absolute path on this machine'],
  ['turnscope://open?path=//host/share/x.jsonl', 'must be an absolute path on this machine'],
  ['turnscope://open?path=%5C%5Chost%5Cshare', 'must be an absolute path on this machine'],
  ['turnscope://open?path=file:///etc/passwd', 'must be an absolute path on this machine'],
  ['turnscope://open?path=/x%00.jsonl', 'must not hold control characters'],
  ['turnscope://open?path=/x&session=0', 'must be the number of a session'],
  ['turnscope://open?path=/x&event=-1', 'must be the number of an event'],
  ['turnscope://open?path=/x&event=99999999999', 'must be the number of an event'],
  ['turnscope://open?path=/x&session=1&id=a', 'it names the session twice'],
  ['turnscope://open?path=/x&path=/y', 'a part is given twice'],
  ['turnscope://open?path=/x&tab=<img src=x onerror=alert(1)>', 'must be the name of a tab'],
  ['turnscope://open?path=/x&preset=/y.yaml', 'must be the name of a preset'],
  ['turnscope://open?path=/x&rules=y', 'unknown field "rules"'],
  [`turnscope://open?path=/${'x'.repeat(9000)}`, 'it has more than 8192 characters'],
  ['turnscope:// ?', 'it is not a URL'],
]

test.describe('[L108] electron double: a running application', () => {
  let double: Double

  test.beforeAll(async () => {
    double = await startDouble()
  })
  test.afterAll(() => double.stop())
  test.beforeEach(async () => {
    const recent = async () => (await double.state()).recentDocuments.length
    const before = await recent()
    await fire(double, 'open-file', elsewhere)
    await shows(double, elsewhere, {})
    // It joins them when it was opened, which may be after it is shown: the state is compared later.
    await waitUntil(async () => (await recent()) > before, double, 20_000)
  })

  const ways: ReadonlyArray<readonly [string, (link: string) => Promise<unknown>]> = [
    ['second-instance', (link) => fire(double, 'second-instance', ['turnscope', link], folder)],
    ['open-url', (link) => fire(double, 'open-url', link)],
  ]
  for (const [way, hand] of ways) {
    test(`electron double: ${way} opens the session at the event, by its number and by its id`, async () => {
      await hand(linkTo({ session: '2', event: '2' }))
      await shows(double, file, AT_EVENT)
      await hand(linkTo({ session: '1', event: '4' }))
      await shows(double, file, { turn: '3' })
      await hand(linkTo({ id: 'the other & more', event: '1' }))
      await shows(double, file, { n: '1', event: '1' })
      expect((await double.state()).windows).toBe(1)
    })

    test(`electron double: ${way} of a session that is not there says so`, async () => {
      await hand(linkTo({ session: '7', event: '2' }))
      await said(double, 'There is no session 7')
    })

    test(`electron double: ${way} refuses what is malformed or hostile, in words, and does nothing`, async () => {
      const before = [await hashOf(double), await double.state()]
      const events = await eventsAfter(double, HOSTILE.length, async () => {
        for (const [link, words] of HOSTILE) {
          await hand(link)
          await said(double, words)
        }
      })
      expect(events).toEqual(
        HOSTILE.map(([link, words]) => ({
          kind: 'refused',
          what: expect.stringContaining(words),
          where: link.slice(0, 200),
          do: 'Use turnscope://open?path=/absolute/path&turn=12&tab=decision.',
        })),
      )
      expect([await hashOf(double), await double.state()]).toEqual(before)
    })
  }

  test('electron double: open-url reads nothing as a path', async () => {
    for (const url of [
      file,
      `file://${file}`,
      'https://elsewhere.example/',
      'javascript:alert(1)',
    ]) {
      await fire(double, 'open-url', url)
      await said(double, url)
    }
    await shows(double, elsewhere, {})
  })
})
