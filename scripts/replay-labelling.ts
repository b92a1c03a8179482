import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCorpus, type CorpusLabels, type ScoredCorpus } from '../core/engine/lab/corpus.ts'
import { isRight } from '../core/engine/lab/label.ts'
import type { TurnVectors } from '../core/engine/lab/opinion/opinion.ts'
import { patchPipeline } from '../core/engine/lab/patch.ts'
import { proposeSignals } from '../core/engine/lab/propose/propose.ts'
import { measured } from '../core/engine/lab/queue/precision.ts'
import { labelQueue } from '../core/engine/lab/queue/queue.ts'
import { measuredWords } from '../core/engine/lab/queue/words.ts'
import type { Rescore, Work } from '../core/engine/lab/rescore.ts'
import { createScorer, type Scorer } from '../core/engine/lab/score-corpus.ts'
import { compileSignal } from '../core/engine/matcher/signal.ts'
import type { Pipeline } from '../core/engine/pipeline.ts'
import type { TurnLabel } from '../core/engine/schema/label.ts'
import { openLocal } from '../core/host/probe/embed/local.ts'
import { shippedModelFolder } from '../core/host/probe/embed/shipped-model.ts'
import { defaultPipeline } from '../fixtures/workspace.ts'

/**
 * `node scripts/replay-labelling.ts [--rules-only] [--rounds 8] [--folds 0,1]`: what the queue and the proposals
 * are worth, by replaying the work with a user who answers from labelled messages. Aggregates only. Everything
 * is deterministic: the draw is by the texts, the head starts from zero.
 */
const ROOT = join(import.meta.dirname, '..')
const FILE = join(ROOT, '../shared/labels/users.jsonl')
const FALLBACK = '/work/shared/labels/users.jsonl'
const FIRST = 50
/** Labels between two rounds of proposals. */
const BATCH = 50

interface Row {
  readonly text: string
  readonly primary: string
  readonly acceptable: readonly string[]
  readonly fold: number
  readonly source_repo: string
}
