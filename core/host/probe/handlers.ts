import type { z } from 'zod'
import { probeField } from '../../engine/probe/prompt-block.ts'
import type { Result } from '../../engine/result.ts'
import { SHIPPED_EMBEDDER } from '../../engine/schema/probe-settings.ts'
import type { CallContext, Handlers } from '../../wire/rpc.ts'
import { refusal, valueOrRefuse } from '../platform/threads/refusal.ts'
import { reporting } from '../platform/threads/yielding.ts'
import type { ProbeWork, ProbeService } from './service.ts'
import { probeText, readChunks, readKeywords, retrieve } from './retrieval.ts'
import { listQuerySets, readQuerySet } from './evaluation/query-sets.ts'
import type {
  ProbeSessions,
  SessionQuestion,
  SessionWork,
  ProbeScores,
} from './sessions/sessions.ts'
import { drawCurve, measureEmbedder, type Curve } from './evaluation/evaluate.ts'
import type { ProbeThreadContract } from '../../wire/threads.ts'
import type { Immutable } from '../../engine/schema/immutable.ts'

type ThreadHandlers = Omit<Handlers<ProbeThreadContract>, 'probe.close'>
type Progress = Extract<
  z.input<ProbeThreadContract['probe.index']['out']>,
  { readonly kind: 'progress' }
>
type Report = (progress: Progress) => void

function progress(phase: Progress['phase'], done: number, total: number): Progress {
  return { kind: 'progress', phase, done, total }
}

/** Work without progress reports, for indexing that the user did not request. */
function silent({ signal }: CallContext): ProbeWork {
  return { signal, report: () => undefined }
}

/** Work that reports indexing and the phase after it. */
function workWith({ signal }: CallContext, report: Report, phase: Progress['phase']) {
  const next = (done: number, total: number): void => report(progress(phase, done, total))
  const work: ProbeWork = {
    signal,
    report: (each) => report(progress(each.phase, each.done, each.total)),
  }
  return { ...work, probed: next, answered: next }
}

/** Yields progress reports during the work, then returns its value. */
async function* stepsOf<T>(
  work: (report: Report) => Promise<Result<T>>,
): AsyncGenerator<Progress, T> {
  const running = reporting<Progress, Result<T>>(work)
  for (;;) {
    const step = await running.next()
    if (step.done === true) return valueOrRefuse(step.value)
    yield step.value
  }
}

/** The probe's thread: one service, the sessions that were probed. */
export function createProbeThreadHandlers(
  service: ProbeService,
  sessions: ProbeSessions,
): ThreadHandlers {
  return {
    ...embedderHandlers(service),
    ...collectionHandlers(service),
    ...sessionHandlers(sessions),
    'probe.text': async ({ settings, ...question }, context) =>
      valueOrRefuse(await probeText(service, settings, question, silent(context))),
    'probe.retrieve': async ({ settings, ...question }, context) =>
      valueOrRefuse(await retrieve(service, settings, question, silent(context))),
    'probe.keywords': async ({ settings, preset }, context) => ({
      keywords: [...valueOrRefuse(await readKeywords(service, settings, preset, silent(context)))],
    }),
    'probe.curve': async function* ({ settings, ...question }, context) {
      const curve = yield* stepsOf((report) =>
        drawCurve(service, settings, question, workWith(context, report, 'measuring')),
      )
      yield curveAnswer(curve)
    },
    'probe.embed': async ({ settings, texts }, { signal }) => {
      const embedder = valueOrRefuse(await service.embedder(SHIPPED_EMBEDDER, settings))
      const vectors = valueOrRefuse(await embedder.embed(texts, signal))
      return { dimensions: embedder.dimensions ?? 0, values: vectors.flatMap((each) => [...each]) }
    },
    'probe.querySets': async () => {
      const sets = await listQuerySets(service.roots)
      const counted = sets.map(async (set) => {
        const queries = await readQuerySet(set)
        return queries.ok ? [{ name: set.name, queries: queries.value.length }] : []
      })
      return { sets: (await Promise.all(counted)).flat() }
    },
  }
}

function embedderHandlers(
  service: ProbeService,
): Pick<ThreadHandlers, 'probe.embedders' | 'probe.measureEmbedder' | 'probe.download'> {
  return {
    'probe.embedders': async ({ settings }) => ({
      embedders: [...(await service.embedders.list(settings))],
      current: valueOrRefuse(await service.current(settings)),
      downloads: [...(await service.embedders.downloads())],
    }),
    'probe.measureEmbedder': async function* ({ settings, name }, context) {
      const measured = yield* stepsOf((report) =>
        measureEmbedder(service, settings, name, workWith(context, report, 'measuring')),
      )
      yield { kind: 'measured', ...measured }
    },
    'probe.download': async function* ({ model }, { signal }) {
      yield* stepsOf((report) =>
        service.embedders.download(
          model,
          (done, total) => report(progress('downloading', done, total)),
          signal,
        ),
      )
      yield { kind: 'done' }
    },
  }
}

function collectionHandlers(
  service: ProbeService,
): Pick<ThreadHandlers, 'probe.collections' | 'probe.index' | 'probe.remove' | 'probe.chunk'> {
  return {
    'probe.collections': async ({ settings }, { signal }) => ({
      collections: valueOrRefuse(await service.collections(settings, signal)),
    }),
    'probe.index': async function* ({ settings, ...request }, context) {
      const indexed = yield* stepsOf((report) =>
        service.index(request, settings, workWith(context, report, 'indexing')),
      )
      yield { kind: 'indexed', ...indexed }
    },
    'probe.remove': async ({ collection }) => {
      valueOrRefuse(await service.remove(collection))
      return {}
    },
    'probe.chunk': async (question) => {
      const { path, chunks } = valueOrRefuse(await readChunks(service, question))
      const shown = chunks.map(({ chunk_idx, text, lines, heading }) => ({
        chunk_idx,
        text,
        heading,
        lines: lines === null ? null : ([...lines] as [number, number]),
      }))
      return { path, chunks: shown }
    },
  }
}

type SessionMethods =
  `probe.${'session' | 'rate' | 'scores' | 'turn' | 'blocks' | 'causes' | 'forget'}`

function sessionHandlers(sessions: ProbeSessions): Pick<ThreadHandlers, SessionMethods> {
  const quiet = (context: CallContext): SessionWork => ({
    ...silent(context),
    probed: () => undefined,
  })
  const turnOf = async (question: SessionQuestion, seq: number, context: CallContext) => {
    const turn = valueOrRefuse(await sessions.turn(question, seq, quiet(context)))
    if (turn !== null) return turn
    const what = `event ${seq} is no message of a person`
    throw refusal({ what, where: 'this session', do: 'Choose another event' })
  }
  return {
    'probe.session': async function* (question, context) {
      const start = performance.now()
      const probed = yield* stepsOf((report) =>
        sessions.columns(question, workWith(context, report, 'probing')),
      )
      yield { kind: 'probed', ...probed, elapsedMs: performance.now() - start }
    },
    'probe.rate': async (question, context) => ({
      rate: valueOrRefuse(await sessions.rate(question, quiet(context))),
    }),
    'probe.scores': async function* (question, context) {
      const scores = yield* stepsOf((report) =>
        sessions.scores(question, workWith(context, report, 'probing')),
      )
      yield scoresAnswer(scores)
    },
    'probe.turn': async ({ seq, ...question }, context) => {
      const { result, cache } = await turnOf(question, seq, context)
      return { result, cache, field: probeField(result) }
    },
    'probe.blocks': async ({ seqs, ...question }, context) => {
      const blocks: Array<string | null> = []
      for (const seq of seqs) blocks.push((await turnOf(question, seq, context)).result.prompt)
      return { blocks }
    },
    'probe.causes': async function* (question, context) {
      const found = yield* stepsOf((report) =>
        sessions.causes(question, workWith(context, report, 'probing')),
      )
      yield { kind: 'caused', ...found }
    },
    'probe.forget': ({ key }) => {
      sessions.forget(key)
      return {}
    },
  }
}

type ScoresOut = Extract<
  Immutable<z.input<ProbeThreadContract['probe.scores']['out']>>,
  { readonly kind: 'scores' }
>
type CurveOut = Extract<
  Immutable<z.input<ProbeThreadContract['probe.curve']['out']>>,
  { readonly kind: 'curve' }
>

/** [D16] Rows of all messages as columns; phrases and collections by number. */
function scoresAnswer({ collections, thresholds, rows }: ProbeScores): ScoresOut {
  const numbers = new Map<string, number>()
  const numberOf = (phrase: string): number => {
    const known = numbers.get(phrase) ?? numbers.size
    numbers.set(phrase, known)
    return known
  }
  const cells = rows.flatMap(({ seq, scores }) => scores.map((score) => ({ ...score, seq })))
  return {
    kind: 'scores',
    collections,
    thresholds,
    phrase: cells.map((cell) => numberOf(cell.phrase)),
    phrases: [...numbers.keys()],
    seq: cells.map((cell) => cell.seq),
    collection: cells.map((cell) => collections.indexOf(cell.collection)),
    similarity: cells.map((cell) => cell.similarity),
    lexical: cells.map((cell) => cell.lexical ?? -1),
    reach: cells.map((cell) => cell.reach),
  }
}

/** [L30] */
function curveAnswer({ points, answered }: Curve): CurveOut {
  return {
    kind: 'curve',
    points,
    queries: answered.length,
    rows: answered.map(({ query, best }) => ({
      id: query.id,
      text: query.text,
      wanted: query.collection,
      best,
    })),
  }
}
