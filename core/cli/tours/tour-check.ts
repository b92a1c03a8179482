import { diffReplays } from '../../engine/lab/flips/diff.ts'
import { type Result, err, mapOk, ok } from '../../engine/result.ts'
import { textOf } from '../../engine/schema/event.ts'
import type { ReplayConfig } from '../../engine/schema/replay.ts'
import type { Session } from '../../engine/schema/session.ts'
import type { Tour, TourEdit, TourExpects, TourStop } from '../../engine/schema/tour.ts'
import type { TurnTrace } from '../../engine/schema/trace.ts'
import { tourFaults } from '../../engine/tour/facts.ts'
import { type ConfigFiles, loadConfig } from '../../host/workspace/config-files.ts'
import { fingerprintOf } from '../../host/platform/files/fingerprint.ts'
import { parseDomains } from '../../host/workspace/domains/parse-domains.ts'
import type { Workspace } from '../../host/workspace/workspace.ts'
import { editDomainText } from '../../host/drafts/session/draft-edit.ts'
import { type SessionReplay, replaySession } from '../../host/replay/session/replay.ts'
import { traceTurn } from '../../host/replay/session/trace-turn.ts'
import { createTimeLimit } from '../../host/platform/guard/guard.ts'
import { compilePipeline } from '../../host/rules/pipelines.ts'

/** A stop with the replay's trace of its turn. */
export interface SeenStop {
  readonly stop: TourStop
  readonly trace: TurnTrace | null
  /** Turns that its edit flips; null if it has no edit. */
  readonly flips: number | null
  /** Mismatches between the stop and the replay. */
  readonly faults: readonly string[]
}

interface Walked {
  readonly workspace: Workspace
  readonly session: Session
  /** Configuration for stops without a preset. */
  readonly config: ReplayConfig
}

/** [U132] Walks through a tour. Returns each stop's turn and the mismatches with its sentence. */
export async function walkTour(
  { stops }: Tour,
  { workspace, session, config }: Walked,
): Promise<Result<readonly SeenStop[]>> {
  const limit = createTimeLimit()
  const { signal } = new AbortController()
  const known = new Map<string, { readonly files: ConfigFiles; readonly replay: SessionReplay }>()

  async function decided(files: ConfigFiles): Promise<Result<SessionReplay>> {
    const compiled = compilePipeline(files)
    return compiled.ok
      ? ok(await replaySession(compiled.value, session, { limit, signal }))
      : compiled
  }

  async function under(preset: string) {
    const found = known.get(preset)
    if (found) return ok(found)
    const files = await loadConfig(workspace, { ...config, preset })
    if (!files.ok) return files
    const replay = await decided(files.value)
    if (!replay.ok) return replay
    const made = { files: files.value, replay: replay.value }
    known.set(preset, made)
    return ok(made)
  }

  async function see(stop: TourStop): Promise<Result<SeenStop>> {
    const side = await under(stop.preset ?? config.preset)
    if (!side.ok) return side
    const other = stop.compare === undefined ? null : await under(stop.compare)
    if (other?.ok === false) return other
    const { files, replay } = side.value
    const at = turnOf(stop, replay)
    const trace = at === null ? null : traceTurn(replay, at, limit)
    const edited = await flipsOf(files, replay, stop.edit)
    if (!edited.ok) return edited
    const flips = edited.value
    return ok({ stop, trace, flips, faults: faultsOf({ stop, trace, flips }, replay, session) })
  }

  async function flipsOf(files: ConfigFiles, replay: SessionReplay, edit: TourEdit | undefined) {
    if (edit?.pattern === undefined) return ok(null)
    const changed = editedFiles(files, edit, edit.pattern)
    if (!changed.ok) return changed
    const after = await decided(changed.value)
    return mapOk(after, (head) => diffReplays(replay, head).length)
  }

  const seen: SeenStop[] = []
  for (const stop of stops) {
    const one = await see(stop)
    if (!one.ok) return one
    seen.push(one.value)
  }
  return ok(seen)
}

function faultsOf(
  { stop, trace, flips }: Omit<SeenStop, 'faults'>,
  replay: SessionReplay,
  session: Session,
): readonly string[] {
  const { expects = {}, turn, event } = stop
  if (event !== undefined) return eventFaults(expects, session, event)
  if (trace === null) return [`there is no turn ${turn ?? 0}: it has ${replay.columns.turns}`]
  const wanted = expects.flips
  const ofEdit =
    wanted === undefined || wanted === flips
      ? []
      : [`flips: expected ${wanted}, it is ${flips ?? 'no edit'}`]
  return [...tourFaults(expects, trace), ...ofEdit]
}

/** Turn of a stop, from 0; null if it has none. */
function turnOf({ turn }: TourStop, { columns }: SessionReplay): number | null {
  return turn !== undefined && turn <= columns.turns ? turn - 1 : null
}

/** An event that is not a turn has no decision, so only its text can be checked. */
function eventFaults(expects: TourExpects, { events, texts }: Session, at: number) {
  const event = events[at]
  if (event === undefined) return [`there is no event ${at}: it has ${events.length}`]
  const { text, ...more } = expects
  const named = Object.keys(more).map((field) => `${field}: an event that is no turn has none`)
  const isThere = text === undefined || textOf(event, texts).includes(text)
  return isThere ? named : [...named, `text: "${text}" does not stand there`]
}

/** The files with one signal changed, as Tune changes it. */
function editedFiles(
  files: ConfigFiles,
  { domain, signal }: TourEdit,
  pattern: string | null,
): Result<ConfigFiles> {
  const { text = '', file } = files.domains
  const signals = files.domains.value.domains.find(({ name }) => name === domain)?.signals ?? []
  const at = signals.findIndex((one) => typeof one !== 'string' && one.id === signal)
  if (at < 0) {
    const what = `there is no signal "${signal}" of the domain "${domain}"`
    return err({ what, where: file.shown, do: 'Name one that is there, by its id' })
  }
  const edit =
    pattern === null
      ? ({ kind: 'remove', domain, signal: at } as const)
      : ({ kind: 'pattern', domain, signal: at, pattern } as const)
  const edited = editDomainText(text, edit)
  if (!edited.ok) return edited
  const value = parseDomains(edited.value, file.shown)
  const fingerprint = fingerprintOf(edited.value)
  return mapOk(value, (parsed) => ({
    ...files,
    domains: { value: parsed, fingerprint, text: edited.value, file },
  }))
}
