import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { compileDomains, type DomainSet } from '../core/engine/matcher/domains.ts'
import { loadDomains } from '../core/engine/matcher/load-domains.ts'

const DOMAINS = fileURLToPath(new URL('../profiles/domains/default.yaml', import.meta.url))

/** The shipped signals, newly compiled. */
export function defaultSignals(): DomainSet {
  const file = loadDomains(parse(readFileSync(DOMAINS, 'utf8')), 'default.yaml')
  const set = file.ok ? compileDomains(file.value, { asciiBoundaries: false }) : file
  if (!set.ok) throw new Error('the default domains do not compile')
  return set.value
}

/** UTF-8. */
export const bytesOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** Seconds of processor time of the faster of the runs. Warm by the first. */
export function secondsOf(rounds: number, run: () => void): number {
  let best = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1e6)
  }
  return best
}

const COLD_CHARS = 1_000_000

/** The first texts of about a million characters. */
export function firstOf(texts: readonly string[]): readonly string[] {
  let chars = 0
  return texts.filter((text) => {
    const isIn = chars < COLD_CHARS
    chars += text.length
    return isIn
  })
}
