import { join, resolve } from 'node:path'
import { type ProbeState, initialProbeState, probeMessage } from '../../engine/probe/run.ts'
import { recommendedProbe } from '../../engine/probe/options.ts'
import type { ProbeOptions, ProbeResult } from '../../engine/schema/probe.ts'
import { formatProblem } from '../../engine/result.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { loadPresetOrPath } from '../../host/workspace/config-files.ts'
import { isInside, readCollections } from '../../host/probe/collections/collections-file.ts'
import type { Asked } from '../../host/probe/ask.ts'
import type { Message } from '../../host/turns/session/messages.ts'
import type { SessionProbing as Probing } from '../../host/turns/session/turn-parts.ts'
import { notice } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { EXIT, valueOrFail } from '../kit/output.ts'
import { type OpenedProbe, openProbeOf, watched } from '../probe/probe-service.ts'

/** UTF-16 units of a message that the probe is given. */
const MOST_CHARS = 200_000

/** The probe result of a message, without times, so that two runs over a file give equal lines. */
type Found = Omit<ProbeResult, 'times' | 'probe_time_ms'>

interface SessionProbing extends Probing {
  next(message: Message): Promise<Found | null>
}

export interface ReplayProbe {
  /** @param options others than the preset's, for another side of a comparison: also those of a probe that is off */
  session(file: string, options?: ProbeOptions): SessionProbing
  close(): Promise<void>
}

/** Whether texts may leave the machine, and whether the samples are asked. */
export interface ProbeWanted {
  readonly probe?: boolean | undefined
  readonly samples?: boolean | undefined
}

type Wanted = ProbeWanted & ({ readonly preset: string } | { readonly options: ProbeOptions })

/**
 * [I95] The probe of `replay --json`. It runs only if it can run on this machine. Without collections nothing is
 * loaded, and no text leaves the machine unless `--probe` says so.
 */
export async function openReplayProbe(workspace: Workspace, wanted: Wanted): Promise<ReplayProbe> {
  const options = 'options' in wanted ? wanted.options : await optionsOf(workspace, wanted.preset)
  const listed = await readCollections(workspace.roots)
  const problem = listed.ok ? null : formatProblem(listed.error)
  const known = listed.ok ? listed.value.collections : []
  let opened: Promise<OpenedProbe> | null = null
  const asking = new Map<boolean, Promise<Asked | string>>()

  const whyNone = (samples: boolean): string | null => {
    if (problem !== null) return problem
    if (known.length === 0) return 'the workspace has no collections'
    if (!samples && known.every(({ isSample }) => isSample)) return ONLY_SAMPLES
    return null
  }

  async function open(samples: boolean): Promise<Asked | string> {
    const why = whyNone(samples)
    if (why !== null) return why
    opened ??= openProbeOf({ workspace: workspace.root, trust: isTrusted(workspace) })
    const { service, settings } = await opened
    const asked = await watched((work) => service.asked(settings, null, { ...work, samples }))
    if (asked.embedder.remote && wanted.probe !== true) return REMOTE
    return asked.collections.some(({ embedder }) => embedder !== null) ? asked : NOT_INDEXED
  }

  return {
    session: (file, other) => {
      if (other === undefined && !options.enabled)
        return probingOf(Promise.resolve(OFF), options, file)
      const samples = wanted.samples === true || isInside(SAMPLES, resolve(file))
      const asked = asking.get(samples) ?? open(samples)
      asking.set(samples, asked)
      return probingOf(asked, other ?? options, file)
    },
    close: async () => {
      await (await opened)?.service.close()
    },
  }
}

/** [D70] Sessions that ship. The people in them are fictional. */
const SAMPLES = join(HOME, 'fixtures', 'sessions')
const OFF = 'the preset has the probe off'
const ONLY_SAMPLES =
  'the workspace has the sample collections only, which are fiction: --samples asks them'
const REMOTE = 'the embedder is not on this machine: --probe sends it the phrases'
const NOT_INDEXED = 'no collection is indexed: turnscope index does it'

async function optionsOf(workspace: Workspace, preset: string): Promise<ProbeOptions> {
  return valueOrFail(await loadPresetOrPath(workspace, preset)).value.probe ?? recommendedProbe
}

function isTrusted({ trust }: Workspace): boolean {
  return trust.place.thisRun === 'all'
}

function withoutTimes({ times: _, probe_time_ms: __, ...found }: ProbeResult): Found {
  return found
}

function probingOf(
  asked: Promise<Asked | string>,
  options: ProbeOptions,
  file: string,
): SessionProbing {
  let state: ProbeState = initialProbeState
  let why = ''
  let isSaid = false
  const { signal } = new AbortController()

  function say({ errors }: ProbeResult): void {
    const [first] = errors
    if (first === undefined) return
    // [D49] Half an answer must not pass for a whole one in a script.
    process.exitCode = EXIT.usage
    if (isSaid) return
    isSaid = true
    notice(`${file}: ${first.collection ?? 'embedder'}: ${first.what}. ${first.do}`)
  }

  return {
    why: () => why,
    next: async ({ text }) => {
      const ports = await asked
      if (typeof ports === 'string') {
        why = ports
        return null
      }
      const message = text.slice(0, MOST_CHARS)
      const probed = await probeMessage(message, state, options, ports.ports(signal))
      state = probed.state
      say(probed.result)
      return withoutTimes(probed.result)
    },
  }
}
