import { join } from 'node:path'
import type { Result } from '../../engine/result.ts'
import type { ProbeOptions } from '../../engine/schema/probe.ts'
import type { ProbeSettings } from '../../engine/schema/probe-settings.ts'
import { recommendedProbe } from '../../engine/probe/options.ts'
import type { ProbeWork, ProbeService } from '../../host/probe/service.ts'
import { openProbe } from '../../host/probe/open.ts'
import { loadPresetOrPath } from '../../host/workspace/config-files.ts'
import { openStateStore } from '../../host/settings/main/state-store.ts'
import { openWorkspace } from '../../host/workspace/workspace.ts'
import { notice } from '../../host/platform/terminal.ts'
import { HOME } from '../../place.ts'
import { createMeter, valueOrFail } from '../kit/output.ts'
import { placeOf } from '../trust/trusted.ts'

/** The probe of a workspace in a terminal, without a server or a separate thread. */
export interface OpenedProbe {
  readonly service: ProbeService
  readonly settings: ProbeSettings
}

/** A workspace, and whether it is trusted for this run. */
type ProbeOf = Parameters<typeof placeOf>[0]

/** Opens the probe, runs the work, and closes models and stores, also when the work fails. */
export async function withProbe<T>(
  of: ProbeOf,
  work: (opened: OpenedProbe) => Promise<T>,
): Promise<T> {
  const opened = await openProbeOf(of)
  try {
    return await work(opened)
  } finally {
    await opened.service.close()
  }
}

/** Opens the probe; the caller closes it. */
export async function openProbeOf(of: ProbeOf): Promise<OpenedProbe> {
  const { workspace } = of
  const trust = placeOf(of)
  const stateDir = join(workspace, '.turnscope')
  const settings = (await openStateStore(stateDir, notice).settings()).probe
  const service = openProbe({ workspace, stateDir, shipped: HOME, env: process.env, trust })
  return { service, settings }
}

/** Options of a preset of the workspace, or of a file. */
export async function probeOptions(workspace: string, preset: string): Promise<ProbeOptions> {
  const { value } = valueOrFail(await loadPresetOrPath(openWorkspace(workspace, HOME), preset))
  return value.probe ?? recommendedProbe
}

const UNITS = { scanning: 'documents', indexing: 'chunks' } as const

/** Runs work that Ctrl+C cancels and that says how far it is where stderr is a terminal. */
export async function watched<T>(work: (work: ProbeWork) => Promise<Result<T>>): Promise<T> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  const meter = createMeter()
  try {
    return valueOrFail(
      await work({
        signal: stop.signal,
        report: ({ phase, done, total }) =>
          meter.show(`${phase}: ${done} of ${total} ${UNITS[phase]}`),
      }),
    )
  } finally {
    meter.clear()
    process.off('SIGINT', interrupt)
  }
}
