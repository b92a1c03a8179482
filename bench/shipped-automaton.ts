/**
 * Time of a new installation to scan the corpus. A fresh process loads the automaton that the build made from the
 * repository's texts, and adds the states that those texts did not need.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { shareReading, thawReading } from '../core/engine/matcher/automaton/readings.ts'
import { scanText } from '../core/engine/matcher/scan.ts'
import { createTextFacts } from '../core/engine/matcher/text-facts.ts'
import { automatonOf } from '../core/host/automata/format.ts'
import { SHIPPED_AUTOMATA } from '../core/host/platform/automata-places.ts'
import { FULL_CORPUS, makeCorpus } from './corpus.ts'
import { bytesOf, defaultSignals, firstOf, secondsOf } from './scan-parts.ts'

const FOLDER = fileURLToPath(new URL(`../${SHIPPED_AUTOMATA}`, import.meta.url))

const Measured = z.object({
  /** Seconds of processor time for the first million characters, the automaton's file included. */
  first: z.number(),
  /** MB/s of processor time over all texts, the first included. */
  rate: z.number(),
})

/** Null if the build is missing, or belongs to another matcher. */
export function measureShipped(): z.infer<typeof Measured> | null {
  const said = execFileSync(process.execPath, [fileURLToPath(import.meta.url)], {
    encoding: 'utf8',
  })
  return Measured.nullable().parse(JSON.parse(said))
}

function thawShipped(): boolean {
  if (!existsSync(FOLDER)) return false
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.bin'))
  const automata = names.map((name) => automatonOf(readFileSync(join(FOLDER, name))))
  return automata.length > 0 && automata.every((one) => one !== null && thawReading(one))
}

async function measure(): Promise<z.infer<typeof Measured> | null> {
  const { signals } = defaultSignals()
  const corpus = await makeCorpus(FULL_CORPUS)
  const texts = corpus.sessions.flatMap((turns) => turns.map((turn) => turn.text))
  const beginning = firstOf(texts)
  const scanAll = (some: readonly string[]) => {
    for (const text of some) scanText(signals, createTextFacts(text))
  }
  const start = process.cpuUsage()
  if (!thawShipped() || !shareReading(signals)) return null
  const { user, system } = process.cpuUsage(start)
  const first = (user + system) / 1e6 + secondsOf(1, () => scanAll(beginning))
  const rest = secondsOf(1, () => scanAll(texts.slice(beginning.length)))
  return { first, rate: bytesOf(texts) / 1e6 / (first + rest) }
}

if (import.meta.main) console.log(JSON.stringify(await measure()))
