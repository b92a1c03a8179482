import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../../fixtures/run-cli.ts'
import { ROOT } from '../../../scripts/build.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnscope-draw-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const SAMPLE = join(ROOT, 'fixtures/sessions/st-003.jsonl')

/** Width and height as the header of a PNG says them. */
function sizeOf(png: Buffer): readonly [number, number] {
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

/** Files are named as they lie in the folder of this test. */
const draw = async (args: readonly string[]) =>
  runCli([
    'draw',
    ...args.map((arg) => (/^[\w-]+\.\w+$|^files$/u.test(arg) ? join(folder, arg) : arg)),
  ])

test('[F90] [F91] the same picture as the window’s, as SVG and as PNG of twice its size, run after run', async () => {
  const asked = ['timeline', SAMPLE, '--compare', 'literal']
  const one = await draw([...asked, '--svg', 'a.svg', '--png', 'a.png'])
  expect([one.code, one.err]).toEqual([0, ''])
  expect(one.out).toContain('20 turns flip')
  await draw([...asked, '--svg', 'b.svg', '--png', 'b.png'])
  const read = (name: string) => readFile(join(folder, name))
  const svg = await read('a.svg')
  const png = await read('a.png')
  expect(svg.equals(await read('b.svg'))).toBe(true)
  expect(png.equals(await read('b.png'))).toBe(true)
  expect(svg.equals(await readFile(join(ROOT, 'fixtures/pictures/st-003-timeline.svg')))).toBe(true)
  const [, width = '', height = ''] = /width="(\d+)" height="(\d+)"/u.exec(svg.toString()) ?? []
  expect(sizeOf(png)).toEqual([Number(width) * 2, Number(height) * 2])
})

test('[F90] a line that could not be used is said, and the picture is drawn of the rest', async () => {
  const torn = join(folder, 'torn.jsonl')
  await writeFile(torn, `${await readFile(SAMPLE, 'utf8')}{"kind":"user","te`)
  const { code, out, err } = await draw(['timeline', torn, '--svg', 'torn.svg'])
  expect(code).toBe(0)
  expect(err).toMatch(/torn\.jsonl:\d+: 1 line could not be used, first: the last line/u)
  expect(out).toContain('47 turns')
})

test('[F90] a folder is drawn as small multiples; what is no transcript is passed over', async () => {
  const files = join(folder, 'files')
  await mkdir(files)
  for (const name of ['second-opinions', 'dead-gate'])
    await copyFile(join(ROOT, `fixtures/sessions/${name}.jsonl`), join(files, `${name}.jsonl`))
  await writeFile(join(files, 'notes.txt'), '')
  const { code, out } = await draw([
    'sessions',
    'files',
    '--svg',
    'folder.svg',
    '--theme',
    'dark',
    '--json',
  ])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    kind: 'sessions',
    theme: 'dark',
    files: [join(folder, 'folder.svg')],
  })
  const svg = await readFile(join(folder, 'folder.svg'), 'utf8')
  expect(svg).toContain('n = 15 turns in 2 sessions · preset recommended · configuration ')
})

test('[F90] what would change nothing, and a picture that goes nowhere, is refused', async () => {
  const nowhere = await draw(['timeline', SAMPLE])
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining('--svg, --png')])
  const budget = await draw(['budget', SAMPLE, '--svg', 'x.svg', '--compare', 'literal'])
  expect([budget.code, budget.err]).toEqual([2, expect.stringContaining('no --compare')])
  const beyond = await draw(['timeline', SAMPLE, '--svg', 'x.svg', '--turns', '900-910'])
  expect([beyond.code, beyond.err]).toEqual([2, expect.stringContaining('there is no turn 900')])
})

test('[F91] characters that the bundled font lacks are told, and stand as a question mark', async () => {
  const path = join(folder, 'kana.jsonl')
  const head = { type: 'session', schemaVersion: 1, id: 's', title: '日本語 Привет' }
  const turn = { kind: 'user', text: 'Please fix the failing test.' }
  await writeFile(path, [head, turn].map((each) => `${JSON.stringify(each)}\n`).join(''))
  const { code, err } = await draw(['timeline', 'kana.jsonl', '--png', 'kana.png'])
  expect(code).toBe(0)
  expect(err).toMatch(/does not know \d+ characters/u)
})
