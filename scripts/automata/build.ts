import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { adviceToKeep, type KnownAdvice } from '../../core/engine/lab/lint/lint-static.ts'
import { createTextFacts } from '../../core/engine/matcher/text-facts.ts'
import {
  freezeReading,
  hasReading,
  shareReading,
} from '../../core/engine/matcher/automaton/readings.ts'
import { patternIdentities } from '../../core/engine/matcher/domains.ts'
import { scanText, warmUp } from '../../core/engine/matcher/scan.ts'
import { writeOut, type CompiledSignal } from '../../core/engine/matcher/signal.ts'
import { loadConfig } from '../../core/host/workspace/config-files.ts'
import type { Loaded } from '../../core/host/workspace/data-kinds.ts'
import { openWorkspace } from '../../core/host/workspace/workspace.ts'
import { ADVICE_FILE, adviceText } from '../../core/host/automata/advice.ts'
import { automatonBytes, automatonFileName } from '../../core/host/automata/format.ts'
import { derivedBytes } from '../../core/host/automata/derived-files.ts'
import { isJson, parsedFileName } from '../../core/host/automata/parsed.ts'
import { knownPatterns, patternsFileName } from '../../core/host/automata/patterns.ts'
import { SHIPPED_AUTOMATA } from '../../core/host/platform/automata-places.ts'
import { writeAutomaton } from '../../core/host/automata/write.ts'
import { compilePipeline } from '../../core/host/rules/pipelines.ts'
import { loadVectors } from '../../fixtures/load.ts'

// Builds the automata of the shipped signals. They have scanned a fixed corpus, so that most states exist before the
// first session is opened. Also stores what can be derived from the shipped patterns and files. `npm run build` calls it.
//   node scripts/automata/build.ts

const ROOT = join(import.meta.dirname, '../..')
/**
 * Texts of this repository as they once were: documents, comments of the engine, sessions written for tests. Frozen, so
 * that an edited document does not change what ships (F210).
 */
export const CORPUS = 'fixtures/automata/corpus.json.gz'
/** Recorded answers about messages to agents. Their strings are learned too. */
const VECTORS = ['bst', 'signal', 'query', 'compose'] as const
/** Longer texts are cut into turns of a usual length, in characters. */
const TURN_CHARS = 4000

function* corpusTurns(): Generator<string, void, undefined> {
  const texts = z.array(z.string()).parse(JSON.parse(gunzip(join(ROOT, CORPUS))))
  for (const text of texts)
    for (let at = 0; at < text.length; at += TURN_CHARS) yield text.slice(at, at + TURN_CHARS)
}

function gunzip(path: string): string {
  return gunzipSync(readFileSync(path)).toString('utf8')
}

/** Shorter strings are names and numbers. */
const LEAST_CHARS = 11

/** Every string of a value of JSON that may be a text. */
function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value === 'string') {
    if (value.length >= LEAST_CHARS) yield value
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) yield* textsIn(part)
  }
}

/** All that the automata learn from, each text once. */
function textsToLearn(): ReadonlySet<string> {
  const recorded = VECTORS.flatMap((name) => [...textsIn(loadVectors(name))])
  return new Set([...corpusTurns(), ...recorded])
}

/** Writes a file that users of the installed program read. Returns its name. */
function put(folder: string, name: string, bytes: Uint8Array): string {
  if (!writeAutomaton(folder, name, bytes)) throw new Error(`${folder}: cannot be written`)
  chmodSync(join(folder, name), 0o644)
  return name
}

/** [C23] Writes the parsed content of a file. Returns its name, or none if JSON cannot represent the content. */
function putParsed(
  folder: string,
  kind: string,
  { text, value, file }: Loaded<unknown>,
): readonly string[] {
  if (text === undefined || !isJson(value)) return []
  return [put(folder, parsedFileName({ kind, name: file.shown, text }), derivedBytes(value))]
}

/** [C23] Writes all that can be found out of patterns. Returns the name. */
function putPatterns(
  folder: string,
  identities: readonly string[],
  signals: readonly CompiledSignal[],
): string {
  for (const signal of signals) writeOut(signal)
  return put(folder, patternsFileName(identities), derivedBytes(knownPatterns(identities)))
}

/**
 * [C14] Writes one file for all presets whose signals are much alike (C12), and [F107] the advice on the
 * signals. Returns the names of the files.
 */
export async function buildShippedAutomata(
  folder: string = join(ROOT, SHIPPED_AUTOMATA),
): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const workspace = openWorkspace(ROOT)
  const names: string[] = []
  const advice: Array<KnownAdvice[number]> = []
  const advised = new Set<boolean>()
  for (const { name: preset } of await workspace.list('presets')) {
    const config = { preset, domains: 'default', profile: null, classify: null } as const
    const files = await loadConfig(workspace, config)
    if (!files.ok) throw new Error(`${preset}: ${files.error.what}`)
    const compiled = compilePipeline(files.value)
    if (!compiled.ok) throw new Error(`${preset}: ${compiled.error.what}`)
    const { signals, belief } = compiled.value.pipeline
    const { options } = belief.set
    if (!advised.has(options.asciiBoundaries)) {
      advised.add(options.asciiBoundaries)
      const { domains } = files.value
      advice.push(...adviceToKeep(domains.value, options))
      names.push(putPatterns(folder, patternIdentities(domains.value, options), signals))
      if (advised.size === 1) names.push(...putParsed(folder, 'domains', domains))
    }
    names.push(...putParsed(folder, 'presets', files.value.preset))
    if (hasReading(signals) || shareReading(signals)) continue
    warmUp(signals)
    for (const text of textsToLearn()) scanText(signals, createTextFacts(text))
    const frozen = freezeReading(signals)
    if (frozen === null) throw new Error(`${preset}: its automaton was not made`)
    names.push(put(folder, automatonFileName(frozen.identities), automatonBytes(frozen)))
  }
  writeFileSync(join(folder, ADVICE_FILE), adviceText(advice), { mode: 0o644 })
  return [...names, ADVICE_FILE]
}

if (import.meta.main) console.log((await buildShippedAutomata()).join('\n'))
