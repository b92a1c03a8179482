import { readdir } from '../../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import type { ScoreRow } from '../../../wire/probe.ts'
import { cachedAnswer } from '../../../engine/probe/phrase-cache.ts'
import { type ScoredQuery, pointAt } from '../../../engine/probe/curve.ts'
import type { ProbePorts } from '../../../engine/probe/ports.ts'
import { initialProbeState, probeMessage } from '../../../engine/probe/run.ts'
import { type Result, err, ok } from '../../../engine/result.ts'
import {
  type HitRule,
  type ProbeOptions,
  type ProbeResult,
  type ThresholdPoint,
  ProbeQuery,
} from '../../../engine/schema/probe.ts'
import { jsonAs } from '../../platform/json.ts'
import { scoresOf } from '../sessions/session-probe.ts'
import { textIfThere } from '../../platform/files/regular-file.ts'

/** A file of labelled queries. */
interface QuerySet {
  readonly name: string
  readonly path: string
  readonly shown: string
}

const SHIPPED = ['tune', 'held'] as const
const OWN = 'profiles/queries'

/** [D46] Sets of labelled queries: the two that ship, and the workspace's own. */
export async function listQuerySets(roots: readonly string[]): Promise<readonly QuerySet[]> {
  const [workspace = ''] = roots
  const shipped = roots.at(-1) ?? workspace
  const sets: QuerySet[] = SHIPPED.map((name) => {
    const shown = `fixtures/collections/queries.${name}.jsonl`
    return { name, shown, path: join(shipped, shown) }
  })
  const files = await readdir(join(workspace, OWN)).catch(() => [])
  for (const file of files.filter((each) => each.endsWith('.jsonl')).toSorted()) {
    const shown = `${OWN}/${file}`
    sets.push({ name: file.slice(0, -'.jsonl'.length), shown, path: join(workspace, shown) })
  }
  return sets
}

/** Parses a set; the first bad line is a problem with its number. */
export async function readQuerySet(set: QuerySet): Promise<Result<readonly ProbeQuery[]>> {
  const { path, shown } = set
  const text = await textIfThere(path, shown)
  if (text === null) return err({ what: 'cannot be read', where: shown, do: 'Check the file' })
  if (!text.ok) return text
  const queries: ProbeQuery[] = []
  for (const [index, line] of text.value.split('\n').entries()) {
    if (line.trim() === '') continue
    const query = jsonAs(ProbeQuery, line)
    if (query === null) {
      const shape = '{"id", "text", "collection"} (null = none)'
      return err({
        what: 'this line is no labelled query',
        where: `${shown}:${index + 1}`,
        do: `Write ${shape}`,
      })
    }
    queries.push(query)
  }
  return ok(queries)
}

/** A labelled query with all its candidates, and the best of them by phrase and collection. */
export interface AnsweredQuery extends ScoredQuery {
  readonly best: readonly ScoreRow[]
  readonly errors: ProbeResult['errors']
}

/** Probes a query as the first message of a session and keeps every candidate, hit or not. */
export async function answerQuery(
  query: ProbeQuery,
  ports: ProbePorts,
  options: ProbeOptions,
): Promise<AnsweredQuery> {
  const { result, state } = await probeMessage(query.text, initialProbeState, options, ports)
  const candidates = result.phrases_tested.flatMap((phrase) =>
    ports.collections.flatMap((collection) =>
      (cachedAnswer(state.cache, phrase, collection) ?? []).map((hit) => ({ ...hit, phrase })),
    ),
  )
  return {
    query,
    candidates,
    phrases: result.phrases,
    errors: result.errors,
    best: scoresOf(result, state.cache, ports, options),
  }
}

/** [D46] Labels seen by one collection: what others answer belongs to none. */
export function seenBy(query: ProbeQuery, collection: string | null): ProbeQuery {
  if (collection === null) return query
  const { id, text, supplemental = [] } = query
  const isMine = query.collection === collection || supplemental.includes(collection)
  return { id, text, collection: isMine ? collection : null }
}

const FIRST = 0.1
const LAST = 0.8
const STEP = 0.01

/** [L30] Precision and recall at every threshold from 0.10 to 0.80. */
export function pointsOf(
  answered: readonly ScoredQuery[],
  rule: HitRule,
  collections: readonly string[],
): readonly ThresholdPoint[] {
  const steps = Math.round((LAST - FIRST) / STEP)
  return Array.from({ length: steps + 1 }, (_, index) =>
    pointAt(answered, Number((FIRST + index * STEP).toFixed(2)), rule, collections),
  )
}

/** Answers by which two thresholds may differ and still be called equally good: labels are few. */
const NOISE = 1

/**
 * [D47] [L29] The best threshold for labelled queries. Of the thresholds that answer most queries correctly (the right
 * primary, or no hit if none is expected), to within one query, it is the middle one. Null = no queries.
 */
export function bestThreshold(points: readonly ThresholdPoint[]): number | null {
  const right = ({ primary, falseHits }: ThresholdPoint): number =>
    primary.hits + falseHits.of - falseHits.hits
  const best = Math.max(...points.map(right))
  const top = points.filter((point) => right(point) >= best - NOISE)
  return top[Math.floor((top.length - 1) / 2)]?.threshold ?? null
}
