import type { CorpusSession } from '../../../wire/lab.ts'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { Side } from '../../../engine/schema/lab.ts'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import type { z } from 'zod'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { gatherFiles, type CorpusSources } from './corpus-files.ts'
import { createCorpusWork, type CorpusWork } from './corpus-work.ts'
import type { Waiting } from '../waiting.ts'
import type { ScoredNow } from '../../../engine/lab/scoring/score-corpus.ts'
import { workspaceFormats } from '../../transcripts/own-formats.ts'
import { createLabelStore } from '../../labels/label-store.ts'
import {
  type ReadCorpus,
  type ReadingPlan,
  readCorpus,
  relabelled,
  workspaceCases,
} from './read-corpus.ts'
import type { ResolvedSide, Sides } from '../../drafts/sides.ts'
import { configKeyOf } from '../../rules/pipelines.ts'
import { refusal } from '../../platform/threads/refusal.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Scanners } from '../scan/scan-together.ts'

/** A corpus in this thread. */
export interface OpenCorpus {
  read: ReadCorpus
  readonly plan: ReadingPlan
  readonly work: CorpusWork
  /** [L80] Sentence vectors of its turns, as far as a second opinion was requested. */
  readonly vectors: Map<number, Float32Array>
  /** Ends the flips that are being looked for. */
  flips: AbortController
}

interface LabServiceOptions {
  readonly workspace: Workspace
  readonly sides: Sides
  readonly limit: TimeLimit
  /** [L107] Threads that look for signals too. */
  readonly scanners?: Scanners | undefined
}

/** Corpora of the lab's thread. */
export interface LabService {
  open(
    id: string,
    sources: CorpusSources,
    config: ReplayConfig,
    reading: {
      readonly signal: AbortSignal
      readonly onRead: (done: number, total: number) => void
    },
  ): Promise<OpenCorpus>
  get(id: string): OpenCorpus
  close(id: string): void
  /** Reads the labels of all files again. */
  relabel(id: string): Promise<void>
  resolve(side: Side): Promise<ResolvedSide>
  /** [U220] Key of a side's configuration as its files are saved; null if they cannot be compiled. */
  configKey(side: Side): Promise<string | null>
  score(corpus: OpenCorpus, side: Side, waiting: Waiting): Promise<Scored>
}

/** A side of a corpus, scored. */
export interface Scored {
  readonly side: ResolvedSide
  readonly scored: ScoredNow
}

export function createLabService({
  workspace,
  sides,
  limit,
  scanners,
}: LabServiceOptions): LabService {
  const corpora = new Map<string, OpenCorpus>()
  const store = createLabelStore(workspace.root)

  function get(id: string): OpenCorpus {
    const found = corpora.get(id)
    if (found) return found
    throw refusal({ what: 'this corpus is not open', where: 'lab', do: 'Open the lab again' })
  }

  async function resolve(side: Side): Promise<ResolvedSide> {
    const resolved = await sides.resolve(side)
    if (resolved.ok) return resolved.value
    throw refusal(resolved.error.problem)
  }

  return {
    get,
    resolve,
    configKey: async (side) => {
      const config = side.kind === 'draft' ? side.draft.config : side.config
      const saved = await sides.resolve({ kind: 'config', config })
      return saved.ok ? configKeyOf(saved.value.files) : null
    },
    open: async (id, sources, config, { signal, onRead }) => {
      const side = await resolve({ kind: 'config', config })
      const gathered = await gatherFiles(sources, shippedRoot(workspace), signal)
      const cases = (await workspaceCases(workspace.root)).map((path) => ({ path, file: -1 }))
      const plan: ReadingPlan = {
        files: gathered.files,
        // [T41] The kinds that count as turns are chosen once, so both sides of a comparison see the same turns.
        classify: side.compiled.classify,
        extra: cases,
        foreign: 'ignore',
        store,
        signal,
        onProgress: onRead,
        formats: (map) => workspaceFormats(workspace, map),
      }
      const read = await readCorpus(plan)
      const problems = [...gathered.problems, ...read.problems]
      const corpus: OpenCorpus = {
        plan,
        read: { ...read, problems },
        work: createCorpusWork(read, limit, { renews: true, scanners }),
        vectors: new Map(),
        flips: new AbortController(),
      }
      corpora.set(id, corpus)
      return corpus
    },
    close: (id) => {
      corpora.get(id)?.flips.abort()
      corpora.delete(id)
    },
    relabel: async (id) => {
      const corpus = get(id)
      corpus.read = await relabelled(corpus.read, corpus.plan)
    },
    score: async ({ work }, side, waiting) => {
      const resolved = await resolve(side)
      return { side: resolved, scored: await work.score(resolved.compiled.pipeline, waiting) }
    },
  }
}

/** Samples ship with the program: the last of the roots. */
function shippedRoot({ root, roots }: Workspace): string {
  return roots.at(-1) ?? root
}

/** Sessions of a corpus as the window lists them. */
export function corpusSessions({
  read,
}: OpenCorpus): ReadonlyArray<Immutable<z.input<typeof CorpusSession>>> {
  const { corpus, origins, labels } = read
  const counts = corpus.sessions.map(() => 0)
  for (const turn of labels.keys()) {
    const session = corpus.sessionOf(turn)
    counts[session] = (counts[session] ?? 0) + 1
  }
  return origins.map(({ path, key, inFile, id, title }, index) => ({
    path,
    key,
    inFile,
    id,
    title,
    turns: corpus.sessions[index]?.turns.length ?? 0,
    labels: counts[index] ?? 0,
  }))
}
