import { formatProblem } from '../../engine/result.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import { ANY_SESSION, type TourStop } from '../../engine/schema/tour.ts'
import { findSample } from '../../host/transcripts/samples.ts'
import { type TourFile, findTour, listTours } from '../../host/workspace/tour-folder.ts'
import { workspaceFormats } from '../../host/transcripts/own-formats.ts'
import { type Workspace, openWorkspace } from '../../host/workspace/workspace.ts'
import { jsonLine, notice, styled } from '../../host/platform/terminal.ts'
import { command, group } from '../kit/command.ts'
import { HOME } from '../../place.ts'
import { JSON_LINE, text, WORKSPACE } from '../kit/options.ts'
import { CommandError, EXIT, print, valueOrFail } from '../kit/output.ts'
import { readFile } from '../replay/replayer.ts'
import { type SeenStop, walkTour } from './tour-check.ts'

const session = text(
  '--session <file>',
  'transcript to walk through (default: the sample it is of)',
)
const ARGS = [['<tour...>', 'names of tours, or paths of their files']] as const

/** `tour list`, `tour show TOUR`, `tour check TOUR…`: walks through a session, in a terminal. */
export const tour = group('tour', 'walks through a session: list, read, check', [
  command({
    name: 'list',
    summary: 'list the tours of the workspace and those that ship',
    options: { ...WORKSPACE, ...JSON_LINE },
    run: async ({ workspace: root, json }) => {
      const { tours, problems } = await listTours(openWorkspace(root, HOME).roots)
      for (const { id, own, tour: one } of tours) {
        const facts = { id, own, title: one.title, session: one.session, stops: one.stops.length }
        const line = `${id.padEnd(24)} ${String(facts.stops).padStart(2)} stops  ${one.title}`
        await print(`${json === true ? jsonLine(facts) : line}\n`)
      }
      for (const problem of problems) notice(formatProblem(problem))
      if (problems.length > 0) process.exitCode = EXIT.findings
    },
  }),
  command({
    name: 'show',
    summary: 'read tours stop by stop, with what a replay says of each turn',
    args: ARGS,
    options: { session, ...WORKSPACE, ...JSON_LINE },
    run: ({ json, ...options }, names) =>
      eachTour(names, options, async (file, stops) => {
        if (json !== true) await print(`${styled('bold', file.tour.title)}\n`)
        for (const [at, seen] of stops.entries()) {
          const line = json === true ? jsonLine(factsOf(file, at, seen)) : told(at, seen)
          await print(`${line}\n`)
        }
      }),
  }),
  command({
    name: 'check',
    summary: 'hold what tours say against a replay; ends with 1 where something does not hold',
    args: ARGS,
    options: { session, ...WORKSPACE, ...JSON_LINE },
    run: ({ json, ...options }, names) =>
      eachTour(names, options, async (file, stops) => {
        for (const [at, seen] of stops.entries()) {
          for (const fault of seen.faults) {
            if (json !== true)
              await print(`${file.shown}: stop ${at + 1}, ${placeOf(seen.stop)}: ${fault}\n`)
          }
          if (json === true) await print(`${jsonLine(factsOf(file, at, seen))}\n`)
        }
        const faults = stops.reduce((sum, { faults: all }) => sum + all.length, 0)
        if (faults > 0) process.exitCode = EXIT.findings
        notice(
          `${file.shown}: ${stops.length} stops, ${faults === 0 ? 'all hold' : `${faults} do not hold`}`,
        )
      }),
  }),
])

interface Options {
  readonly workspace: string
  readonly session?: string | undefined
}

type See = (file: TourFile, stops: readonly SeenStop[]) => Promise<void>

async function eachTour(names: readonly string[], options: Options, see: See): Promise<void> {
  const workspace = openWorkspace(options.workspace, HOME)
  for (const name of names) {
    const file = valueOrFail(await findTour(workspace.roots, name))
    const { path, config } = await sessionOf(file, options, workspace)
    const opened = await readFile(path, workspaceFormats(workspace))
    try {
      const [first] = opened.transcript.sessions
      if (first === undefined) throw noSession(path)
      const walked = await walkTour(file.tour, { workspace, session: first, config })
      await see(file, valueOrFail(walked))
    } finally {
      opened.close()
    }
  }
}

const noSession = (where: string) =>
  new CommandError({ what: 'there is no session in it', where, do: 'Name another file' })

/** The file that a tour is walked through, and what decides there. */
async function sessionOf(file: TourFile, { session: path }: Options, { roots }: Workspace) {
  const config: ReplayConfig = {
    preset: 'recommended',
    domains: 'default',
    profile: null,
    classify: null,
  }
  if (path !== undefined) return { path, config }
  const id = file.tour.session
  const shipped = roots.at(-1) ?? HOME
  const sample = id === ANY_SESSION ? null : await findSample(shipped, id)
  if (sample?.ok !== true) {
    const what = id === ANY_SESSION ? 'it is a tour of any session' : `"${id}" is no sample`
    throw new CommandError({ what, where: file.shown, do: 'Name the transcript with --session' })
  }
  const { preset, profile } = sample.value.sample
  return {
    path: sample.value.path,
    config: { ...config, preset: preset ?? config.preset, profile },
  }
}

function factsOf({ id }: TourFile, at: number, { stop, trace, flips, faults }: SeenStop) {
  const decided =
    trace === null
      ? null
      : {
          primary: trace.primary.domain,
          secondary: trace.secondary?.domain ?? null,
          momentum: trace.momentum.after.momentum,
          event: trace.momentum.event,
        }
  return {
    tour: id,
    stop: at + 1,
    turn: stop.turn ?? null,
    event: stop.event ?? null,
    say: stop.say,
    decided,
    flips,
    faults,
  }
}

const placeOf = ({ turn, event }: TourStop) =>
  turn === undefined ? `event ${event ?? 0}` : `turn ${turn}`

function told(at: number, { stop, trace, flips }: SeenStop): string {
  const domains = [trace?.primary.domain, trace?.secondary?.domain].filter(
    (one) => one !== undefined,
  )
  const { momentum } = trace ?? {}
  const facts =
    momentum === undefined
      ? 'not classified'
      : `${domains.join(' + ')}, momentum ${momentum.after.momentum}, ${momentum.event}`
  const edit = flips === null ? '' : `, the edit flips ${flips} turns`
  return `${at + 1}. ${styled('dim', `${placeOf(stop)}: ${facts}${edit}`)}\n   ${stop.say}`
}
