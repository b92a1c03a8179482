import { expect, test } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { ROOT } from '../../../scripts/build.ts'
import { isTourOf, Tour } from '../../engine/schema/tour.ts'
import { findTour, listTours, readTour, tourText } from './tour-folder.ts'

const GOOD = 'title: Mine\nsession: any\nstops: [{ turn: 1, say: Look. }]\n'
const stop = (more: string) => `title: T\nsession: any\nstops:\n  - { turn: 1, ${more} }\n`

test('[U130] tours are files of a workspace and of what ships; one bad file costs that file', async () => {
  const root = makeFolder({
    'tours/mine.yaml': GOOD,
    'tours/st-003.yaml': GOOD,
    'tours/broken.yaml': 'title: [',
    'tours/wrong.yaml': 'title: T\nsession: any\nstops: [{ turn: 0, say: x }]\n',
    'tours/No Name.yaml': GOOD,
    'tours/long.yaml': `# ${'x'.repeat(70_000)}\n${GOOD}`,
    'tours/notes.md': 'no tour',
  })
  const { tours, problems } = await listTours([root, ROOT])
  const own = tours.filter((file) => file.own).map(({ id }) => id)
  expect(own).toEqual(['mine', 'st-003'])
  // A file of the workspace takes the place of the one that ships under its name.
  expect(tours.filter(({ id }) => id === 'st-003')).toHaveLength(1)
  expect(tours.some(({ id, own: isOwn }) => id === 'lock-in' && !isOwn)).toBe(true)
  const where = problems.map((problem) => problem.where)
  expect(where).toHaveLength(4)
  expect(where.join()).toMatch(/No Name\.yaml.*broken\.yaml:1:\d+.*long\.yaml.*wrong\.yaml:3:\d+/u)
  expect(await listTours([makeFolder({})])).toEqual({ tours: [], problems: [] })
})

test.each([
  ['a text of two lines', String.raw`say: "a\nb"`],
  ['a sign that turns the direction of text', 'say: "a\u202eb"'],
  ['an escape of a terminal', String.raw`say: "a\x1b[31m"`],
  ['nothing', 'say: "  "'],
  ['601 characters', `say: ${'x'.repeat(601)}`],
  ['a place that is none', 'say: x, place: "#root"'],
  ['a field that is none', 'say: x, run: y'],
  ['a tab that is no name', 'say: x, tab: "../x"'],
  ['a turn and an event', 'say: x, event: 3'],
])('[U130] a stop is bounded plain text at a named place: not %s', (_, more) => {
  expect(readTour(stop(more), 'tours/a.yaml').ok).toBe(false)
})

test('[U130] a tour may have 40 stops, and its markup is text', () => {
  const many = (count: number) =>
    `title: T\nsession: any\nstops:\n${'  - { turn: 1, say: "<b>x</b>" }\n'.repeat(count)}`
  expect(readTour(many(40), 'a').ok).toBe(true)
  expect(readTour(many(41), 'a').ok).toBe(false)
  const bomb = `a: &a [x]\n${GOOD}`
  expect(readTour(bomb, 'a').ok).toBe(false)
})

test('[U130] a tour is found by its name, or by a path; what is written reads the same', async () => {
  const root = makeFolder({ 'tours/mine.yaml': GOOD, 'tours/bad.yaml': 'x: 1\n' })
  const found = await findTour([root], 'mine')
  if (!found.ok) throw new Error(found.error.what)
  const again = readTour(tourText(found.value.tour), 'again')
  expect(again).toEqual({ ok: true, value: found.value.tour })
  expect((await findTour([ROOT], `${root}/tours/mine.yaml`)).ok).toBe(true)
  // The problem names the broken file, instead of reporting that no tour exists.
  expect(await findTour([root], 'bad')).toMatchObject({ ok: false, error: { where: /bad\.yaml/u } })
  expect(await findTour([root], 'none')).toMatchObject({ error: { do: 'There are: mine' } })
})

test('[U131] a tour is of a sample, of a file by its name without ending, or of any', () => {
  const of = (session: string) =>
    Tour.parse({ title: 'T', session, stops: [{ turn: 1, say: 'x' }] })
  expect(isTourOf(of('st-003'), 'st-003')).toBe(true)
  expect(isTourOf(of('st-003'), '/workspace/st-003.jsonl')).toBe(true)
  expect(isTourOf(of('st-003'), 'st-003.turnscope.jsonl')).toBe(true)
  expect(isTourOf(of('st-003'), 'st-0031.jsonl')).toBe(false)
  expect(isTourOf(of('any'), 'whatever')).toBe(true)
})
