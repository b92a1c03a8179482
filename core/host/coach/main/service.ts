import type { CoachFailure, CoachLabel, CoachSettings } from '../../../engine/schema/coach-wire.ts'
import type { Verdict } from '../../../engine/schema/coach.ts'
import { type Asked, type AskedPlace, type Asker, createAsker } from './asker.ts'
import { type AuditLog, openAuditLog } from './audit-log.ts'
import { createFileVault } from './key-file.ts'
import { type CoachKeys, type KeyVault, createCoachKeys } from './keys.ts'
import { type CoachLabels, type StoredLabel, openCoachLabels } from './labels.ts'
import { createModelClient } from './model-client.ts'
import { REAL_TIME, type Chronometer } from '../../platform/net/retry.ts'
import type { TrustGate } from '../../platform/trust/gate.ts'
import { type Known, verdictOf } from './shown.ts'
import { type VerdictStore, openVerdictStore } from './verdict-store.ts'
import type { CoachBasis, CoachPrepared, CoachRow } from '../../../wire/internal/coach.ts'

export interface CoachServiceOptions {
  readonly workspace: string
  readonly stateDir: string
  readonly settings: () => Promise<CoachSettings>
  readonly say: (line: string) => void
  /** Epoch milliseconds. */
  readonly clock: () => number
  /** Key store; a 0600 file outside of the workspace if no keychain is provided. */
  readonly vault?: KeyVault | undefined
  /** Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Asked before anything is sent. */
  readonly trust: TrustGate
  readonly time?: Chronometer | undefined
}

/** The half of the coach that lives in the main process: keys, calls, cache, log, labels. */
export interface CoachService {
  readonly asker: Asker
  readonly keys: CoachKeys
  readonly labels: CoachLabels
  readonly store: VerdictStore
  readonly settings: () => Promise<CoachSettings>
  /** The audit log (V16). */
  readonly logPath: string
  /** [V65] Stored data of each output in addition to the rules' verdict, in order. */
  known(outputs: readonly LabelledPlace[]): Promise<readonly Known[]>
  /** Logs the rules' verdicts, once for each output and version of the rules. */
  logRules(rows: readonly CoachRow[], basis: CoachBasis): void
  /** Logs outputs that a gate of the rules decided, so that no model was called (V63). */
  logGated(rows: readonly CoachRow[]): void
  logAsked(prepared: CoachPrepared, asked: Asked, basis: CoachBasis): void
  settled(): Promise<void>
}

/** An output as answers to it are kept, and the label it has. */
interface LabelledPlace extends AskedPlace {
  readonly label: CoachLabel | null
}

/** Outputs whose verdicts by the rules are remembered as logged. */
const MOST_LOGGED = 200_000

export function createCoachService(options: CoachServiceOptions): CoachService {
  const { stateDir, say, settings, clock, trust, env = process.env } = options
  const time = options.time ?? REAL_TIME
  const store = openVerdictStore(stateDir, say)
  const audit: AuditLog = openAuditLog(stateDir, say)
  const keys = createCoachKeys(
    options.vault ?? createFileVault(options.workspace, stateDir, env),
    env,
    trust,
  )
  const client = createModelClient(time.now)
  const asker = createAsker({ settings, keys, trust, client, store, time, clock })
  const logged = new Set<string>()
  const stamp = () => new Date(clock()).toISOString()

  function logVerdict(preview: string, verdict: Pick<Verdict, 'confidence' | 'reason'> & Said) {
    const { result, confidence, reason, source } = verdict
    audit.add([{ time: stamp(), preview, result, confidence, reason, source }])
  }

  return {
    asker,
    keys,
    store,
    settings,
    logPath: audit.path,
    labels: openCoachLabels(options.workspace),
    known: (outputs) => knownOf({ asker, store }, outputs),
    logRules: (rows, { rulesHash }) => {
      if (logged.size > MOST_LOGGED) logged.clear()
      const fresh = rows.filter((row) => !logged.has(`${rulesHash} ${row.content}`))
      for (const row of fresh) logged.add(`${rulesHash} ${row.content}`)
      audit.add(
        fresh.map(({ preview, type, confidence, reason }) => ({
          time: stamp(),
          preview,
          result: type,
          confidence,
          reason,
          source: 'rules',
        })),
      )
    },
    logGated: (rows) =>
      audit.add(
        rows.map(({ preview, type, confidence, reason }) => ({
          time: stamp(),
          preview,
          result: type,
          confidence,
          reason,
          source: 'rules (gate)',
        })),
      ),
    logAsked: (prepared, asked, basis) => {
      const { preview, rules } = prepared
      if (!asked.ok) {
        logVerdict(preview, { ...rules, result: rules.type, source: failureSource(asked.error) })
        return
      }
      const { answer, cached } = asked.value
      const read = verdictOf(answer, basis, cached ? 'cache' : 'model')
      if (read) logVerdict(preview, { ...read, result: read.type })
      else logVerdict(preview, { ...rules, result: rules.type, source: 'rules (unparsable)' })
    },
    settled: async () => {
      await Promise.all([audit.settled(), store.settled()])
    },
  }
}

async function knownOf(
  { asker, store }: Pick<CoachService, 'asker' | 'store'>,
  outputs: readonly LabelledPlace[],
): Promise<readonly Known[]> {
  const answers = await asker.known(outputs)
  const failures = await asker.failures(outputs)
  const runs = await Promise.all(outputs.map(({ content }) => store.runs(content)))
  return outputs.map(({ label }, index) => {
    const answer = answers[index] ?? null
    const source = answer === null ? 'cache' : asker.sourceOf(answer)
    return { answer, runs: runs[index] ?? [], source, failure: failures[index] ?? null, label }
  })
}

interface Said {
  readonly result: string
  readonly source: string
}

/** The rules' verdict applies. The log records that a model was called, and the kind of failure. */
function failureSource({ kind }: CoachFailure): string {
  return `rules (${kind})`
}

/** The label of an output among those of its transcript. */
export function labelAt(
  labels: readonly StoredLabel[],
  place: { readonly session: string; readonly seq: number; readonly content: string },
): CoachLabel | null {
  const found = labels.find(
    ({ session, seq, content }) =>
      seq === place.seq && content === place.content && session === place.session,
  )
  return found === undefined ? null : { type: found.type, note: found.note }
}
