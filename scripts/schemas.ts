/**
 * Writes the JSON Schemas of our file formats from their zod schemas, so that editors complete and
 * CI checks them. `--check` writes nothing and exits 1 when a file is not current.
 */
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { DomainFile } from '../core/engine/schema/domain.ts'
import { StepAwarenessBundle, StepRecord } from '../core/engine/schema/bundle.ts'
import { FormatMap } from '../core/engine/schema/format-map.ts'
import { Preset } from '../core/engine/schema/preset.ts'
import { ModelProfile } from '../core/engine/schema/profile.ts'
import { CollectionsFile, Persona, ProbeQuery } from '../core/engine/schema/probe.ts'
import { AgentManifest, StepData } from '../core/engine/schema/step-data.ts'
import {
  OutcomeFileWritten,
  RunHistoryLine,
  WatcherFailureLine,
} from '../core/engine/schema/track2.ts'
import { Tour } from '../core/engine/schema/tour.ts'
import { TurnTrace } from '../core/engine/schema/trace.ts'
import { EventLine, SessionHeader } from '../core/engine/session-file.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** File name in `schemas/` → what it describes. */
export const SCHEMAS: ReadonlyMap<string, { title: string; schema: z.ZodType }> = new Map([
  ['domains', { title: 'Turnscope domain file', schema: DomainFile }],
  ['preset', { title: 'Turnscope preset', schema: Preset }],
  ['model-profile', { title: 'Turnscope model profile', schema: ModelProfile }],
  ['collections', { title: 'profiles/collections.yaml', schema: CollectionsFile }],
  ['persona', { title: 'A file of profiles/personas/', schema: Persona }],
  ['probe-query', { title: 'A line of profiles/queries/*.jsonl', schema: ProbeQuery }],
  ['session-header', { title: 'First line of a native session file', schema: SessionHeader }],
  ['session-event', { title: 'Any further line of a native session file', schema: EventLine }],
  ['step-record', { title: 'Text of an event of kind `step`', schema: StepRecord }],
  ['step-data', { title: 'A file of prompts/steps/', schema: StepData }],
  ['step-bundle', { title: 'A step awareness bundle', schema: StepAwarenessBundle }],
  ['agent-manifest', { title: 'Manifest of an agent', schema: AgentManifest }],
  ['run-history', { title: 'A line of run_history.jsonl', schema: RunHistoryLine }],
  ['watcher-failure', { title: 'A line of watcher_failures.jsonl', schema: WatcherFailureLine }],
  ['outcome-summary', { title: 'A file of chapter13/summaries/', schema: OutcomeFileWritten }],
  ['format-map', { title: 'A file of profiles/formats/', schema: FormatMap }],
  ['tour', { title: 'A file of tours/', schema: Tour }],
  ['turn-trace', { title: 'Trace of one turn, as `replay --json` prints it', schema: TurnTrace }],
])

/** The text of one schema file. `input`: what a person writes, before defaults. */
export function schemaText(title: string, schema: z.ZodType): string {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return `${JSON.stringify({ ...json, title }, null, 2)}\n`
}

function main(check: boolean): number {
  let stale = 0
  mkdirSync(join(root, 'schemas'), { recursive: true })
  for (const [name, { title, schema }] of SCHEMAS) {
    const path = join(root, 'schemas', `${name}.schema.json`)
    const text = schemaText(title, schema)
    if (!check) writeFileSync(path, text)
    else if (readOr(path) !== text) {
      stale += 1
      process.stderr.write(
        `schemas/${name}.schema.json is not current: run node scripts/schemas.ts\n`,
      )
    }
  }
  return stale > 0 ? 1 : 0
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.includes('--check'))
}
