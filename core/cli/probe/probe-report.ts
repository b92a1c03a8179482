import type { ProbeHit, ProbeResult } from '../../engine/schema/probe.ts'
import { styled } from '../../host/platform/terminal.ts'
import { firstWords } from '../kit/table.ts'

const BAR = 20
const SKIPPED: Readonly<Record<NonNullable<ProbeResult['skipped']>, string>> = {
  reflex_command: 'it is a command',
  too_short: 'it has too few words',
  duplicate: 'it repeats the message before',
  no_collections: 'there are no collections',
  off: 'the preset has the probe off',
}
const SOURCES: Readonly<Record<ProbeResult['persona']['source'], string>> = {
  probe: 'by its collection',
  keywords: 'by a keyword',
  held: 'held from before',
  none: '',
}

/** A bar of the cosine, with the threshold as a mark in it. */
function bar(similarity: number, threshold: number): string {
  const cells = Math.round(Math.max(0, Math.min(1, similarity)) * BAR)
  const mark = Math.min(BAR - 1, Math.round(threshold * BAR))
  return Array.from({ length: BAR }, (_, at) => (at === mark ? '|' : at < cells ? '█' : '░')).join(
    '',
  )
}

function hitLine(hit: ProbeHit, explain: boolean): string {
  const { phrase, similarity, lexical, score, threshold, filename, chunk_idx, lines } = hit
  const place = lines === null ? '' : `:${lines[0]}-${lines[1]}`
  const parts = `cos ${similarity.toFixed(2)}${lexical === null ? '' : `, words ${lexical.toFixed(2)}`}`
  const verdict = `${score.toFixed(2)} ${score >= threshold ? '≥' : '<'} ${threshold.toFixed(2)}`
  const cached = hit.from_cache ? ', from the cache' : ''
  const head = `  ${bar(score, threshold)}  ${verdict}  ${firstWords(phrase, 60)}`
  const tail = styled('dim', `${filename}${place} #${chunk_idx} (${parts}${cached})`)
  const text = explain ? `\n      ${styled('dim', firstWords(hit.chunk_text, 300))}` : ''
  return `${head}  ${tail}${text}`
}

function phraseLines({ phrases }: ProbeResult): readonly string[] {
  const width = Math.max(0, ...phrases.map((phrase) => Math.min(40, phrase.text.length)))
  return phrases.map(({ text, rule, spans, weight }) => {
    const places = spans.map(([start, end]) => `${start}-${end}`).join(', ')
    const less = weight === 1 ? '' : `, weight ${weight}`
    return `  ${firstWords(text, 40).padEnd(width)}  ${rule} at ${places}${less}`
  })
}

function collectionLines(result: ProbeResult, explain: boolean): readonly string[] {
  const { hits, near, totals, strength } = result
  const found = totals.flatMap(({ collection, sum }, rank) => {
    const role = rank === 0 ? `primary, ${strength}` : 'supplemental'
    const mine = hits.filter((hit) => hit.collection === collection)
    const head = `${styled('bold', collection)}  ${role}, sum ${sum.toFixed(2)}`
    return [head, ...mine.map((hit) => hitLine(hit, explain))]
  })
  const below = explain && near.length > 0 ? ['below the threshold'] : []
  const misses = explain
    ? near.map((hit) => `${hitLine(hit, false)} ${styled('dim', hit.collection)}`)
    : []
  return [...found, ...below, ...misses]
}

/** The document's budget in milliseconds; searching counts for each collection. */
const BUDGET = { extract: 5, embed: 50, search: 20, total: 100 } as const

function timeLine({ times }: ProbeResult): string {
  const { extract, embed, search, total } = BUDGET
  const of = (what: string, spent: number, allowed: string): string =>
    `${what} ${spent.toFixed(1)} of ${allowed}`
  return [
    of('extract', times.extract, `${extract} ms`),
    of('embed', times.embed, `${embed} ms`),
    of('search', times.search, `${search} ms a collection`),
    of('total', times.total, `${total} ms`),
  ].join(', ')
}

function personaLine({ persona }: ProbeResult): string {
  const { refused } = persona
  const named = persona.persona ?? 'none'
  const why = SOURCES[persona.source]
  const held = refused === null ? '' : `; ${refused.collection} was refused (${refused.reason})`
  return `persona  ${named}${why === '' ? '' : `, ${why}`}${held}`
}

/** The answer as text: phrases, hits by collection, persona, times, and the text added to the prompt. */
export function probeReport(result: ProbeResult, explain: boolean): string {
  const { skipped, prompt, intent } = result
  if (skipped !== null) return `not probed: ${SKIPPED[skipped]}\n${personaLine(result)}\n`
  const lines = [
    'phrases',
    ...phraseLines(result),
    '',
    ...collectionLines(result, explain),
    ...(result.hits.length === 0 ? ['no hits'] : []),
    '',
    personaLine(result),
    `time     ${timeLine(result)}`,
    ...(explain && intent !== null ? [`intent   ${intent}`] : []),
    ...(prompt === null ? [] : ['', prompt]),
  ]
  return `${lines.join('\n')}\n`
}
