import { beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../../../scripts/build.ts'
import { Tour } from '../../engine/schema/tour.ts'
import { listSamples } from '../../host/transcripts/samples.ts'
import { type TourFile, listTours } from '../../host/workspace/tour-folder.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { openTranscript } from '../../host/transcripts/transcript.ts'
import { walkTour } from './tour-check.ts'

const workspace = openWorkspace(ROOT)
let shipped: readonly TourFile[] = []
beforeAll(async () => {
  shipped = (await listTours([ROOT])).tours
})

/** Walks a tour through a sample, as it is played. */
async function walked(tour: Tour) {
  const sample = (await listSamples(ROOT)).find((one) => one.sample.id === tour.session)
  if (!sample) throw new Error(`no sample ${tour.session}`)
  const opened = await openTranscript(sample.path)
  if (!opened.ok) throw new Error(opened.error.what)
  const [session] = opened.value.transcript.sessions
  const { preset, profile } = sample.sample
  const config = { preset: preset ?? 'recommended', domains: 'default', profile, classify: null }
  const stops = await walkTour(tour, { workspace, session: session!, config })
  opened.value.close()
  if (!stops.ok) throw new Error(`${stops.error.where}: ${stops.error.what}`)
  return stops.value
}

test('[U131] every sample has a tour, and that of st-003 has five stops', async () => {
  const samples = (await listSamples(ROOT)).map(({ sample }) => sample.id)
  const sessions = shipped.map(({ tour }) => tour.session)
  expect(sessions.toSorted()).toEqual(samples.toSorted())
  const { tour } = shipped.find(({ id }) => id === 'st-003')!
  expect(tour.stops).toHaveLength(5)
  // Verdict, reasons, momentum, what would have changed it, and the effect of an edit.
  expect(tour.stops.map(({ tab, place }) => `${tab ?? ''} ${place ?? ''}`)).toEqual([
    'decision verdict',
    'decision text',
    'momentum tab',
    'why-not tab',
    'decision panel',
  ])
  expect(tour.stops.at(-1)?.panel).toBe('tune')
})

describe('[U132] what a shipped tour says holds in a replay', () => {
  const names = [
    'st-003',
    'lock-in',
    'dead-gate',
    'six-signals',
    'pipeline-run',
    'claude-code-demo',
    'three-shelves',
    'second-opinions',
  ]
  test.each(names)('%s', async (name) => {
    const { tour } = shipped.find(({ id }) => id === name)!
    // A sentence that claims something says what.
    expect(tour.stops.filter(({ expects }) => expects === undefined)).toEqual([])
    const stops = await walked(tour)
    expect(stops.flatMap(({ faults }) => faults)).toEqual([])
  })

  test('the fourth stop of st-003 says what Why not says', async () => {
    const { tour } = shipped.find(({ id }) => id === 'st-003')!
    const { trace } = (await walked(tour))[3]!
    const { changes } = trace!.whyNot.find(({ domain }) => domain === 'file_ops')!
    expect(changes).toContainEqual({ what: 'momentum before the turn', from: '7', to: '2' })
    const allowed = changes.find(({ what }) => what === 'breakMinSignals.file_ops')
    expect(allowed).toMatchObject({ from: 'never' })
    expect(trace!.momentum.before.momentum).toBe(7)
    expect(trace!.scored.primary.signals).toHaveLength(5)
  })
})

test('[U132] what does not hold is named, turn by turn', async () => {
  const tour = Tour.parse({
    title: 'T',
    session: 'st-003',
    stops: [
      {
        turn: 13,
        say: 'All wrong.',
        expects: {
          primary: 'coding',
          score: 9,
          secondary: null,
          alone: 'bugfix',
          momentum: 1,
          event: 'break',
          fired: ['api', 'nothing'],
          text: 'not there',
          flips: 3,
        },
      },
      { turn: 900, say: 'There is none.' },
      { event: 900, say: 'Nor that.' },
      { event: 0, say: 'No turn.', expects: { primary: 'coding', text: 'not there' } },
    ],
  })
  const stops = await walked(tour)
  const fields = stops[0]!.faults.map((fault) => fault.split(':', 1)[0])
  expect(fields).toEqual([
    'primary',
    'score',
    'secondary',
    'alone',
    'momentum',
    'event',
    'fired',
    'text',
    'flips',
  ])
  expect(stops[1]!.faults).toEqual(['there is no turn 900: it has 47'])
  expect(stops[2]!.faults[0]).toContain('there is no event 900')
  expect(stops[3]!.faults).toHaveLength(2)
})

test('[U132] an edit of a signal that is not there is said', async () => {
  const edit = { domain: 'coding', signal: 'none', pattern: null }
  const stops = [{ turn: 1, say: 'x', edit }]
  await expect(walked(Tour.parse({ title: 'T', session: 'st-003', stops }))).rejects.toThrow(
    /there is no signal "none"/u,
  )
})
