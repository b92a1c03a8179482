import { ownOf } from '../../../engine/schema/own.ts'
import { hash } from 'node:crypto'
import { createLru } from '../../../engine/lru.ts'
import { buildCoachingMessage } from '../../../engine/coach/message.ts'
import { decidedByGate } from '../../../engine/coach/output.ts'
import { contextOf } from '../../../engine/coach/plan.ts'
import { outputsThatWentOn } from '../../../engine/coach/went-on.ts'
import type { Result } from '../../../engine/result.ts'
import type { CoachContext, Verdict } from '../../../engine/schema/coach.ts'
import { type SessionEvent, textOf } from '../../../engine/schema/event.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { type TimeLimit, moreTime } from '../../shared/guard.ts'
import { kept } from '../../shared/kept.ts'
import { refusal, valueOrRefuse } from '../../shared/refusal.ts'
import { type SharedWork, createSharedWork } from '../../shared/shared-work.ts'
import { type RulesJudge, createRulesJudge } from './judge.ts'
import type { CoachDraft } from '../../../wire/coach.ts'
import { NO_DRAFT } from '../../../wire/defaults.ts'
import { type CoachFiles, readCoachFiles } from './prompt-files.ts'
import { type CoachRequest, buildRequest, previewOf } from './request.ts'
import type {
  CoachBasis,
  CoachItem,
  CoachPreparedSet,
  CoachRow,
  CoachRows,
} from '../../../wire/internal/coach.ts'

/** The half of the coach that needs texts and patterns: files, rules, requests. Calls no model. */
export interface CoachRequests {
  /** The files with a draft in their place; throws a refusal when they cannot be used. */
  files(draft?: CoachDraft): Promise<CoachFiles>
  rows(session: Session, signal: AbortSignal): Promise<CoachRows>
  prepare(session: Session, seqs: readonly number[]): Promise<CoachPreparedSet>
  items(items: readonly CoachItem[], draft: CoachDraft): Promise<CoachPreparedSet>
}

const KEPT_FILES = 4
/** Outputs whose texts are held at once. */
const SOME = 256
/** A template that runs this long hangs. */
const RENDER_LIMIT_MS = 2000
const { signal: NEVER } = new AbortController()

export function createCoachRequests(roots: readonly string[], limit: TimeLimit): CoachRequests {
  const known = new WeakMap<Session, SharedWork<CoachRows>>()

  async function files(draft: CoachDraft = NO_DRAFT): Promise<CoachFiles> {
    return valueOrRefuse(await readCoachFiles(roots, draft))
  }

  const { readRows, prepareItems, basisOf } = createReaders(limit)

  return {
    files,
    rows: async (session, signal) => {
      const read = await files()
      const work = known.get(session) ?? createSharedWork<CoachRows>(1)
      known.set(session, work)
      const key = `${read.promptHash} ${read.rulesHash} ${session.events.length}`
      return work.get(key, { signal, start: (stop) => readRows(read, session, stop) })
    },
    prepare: async (session, seqs) => {
      const read = await files()
      const wentOn = outputsThatWentOn(session.events)
      const items = seqs.map((seq) => {
        const event = session.events[seq]
        if (event?.kind === 'agent')
          return { seq, wentOn: wentOn.has(seq), ...itemOf(session, textOf(event, session.texts)) }
        throw refusal({
          what: `event ${seq} is no output of an agent`,
          where: 'this session',
          do: 'Choose another event',
        })
      })
      const prepared = await prepareItems(read, items)
      return { basis: basisOf(read), id: session.id, prepared }
    },
    items: async (items, draft) => {
      const read = await files(draft)
      const prepared = await prepareItems(
        read,
        items.map((item, seq) => ({ seq, wentOn: false, ...item })),
      )
      return { basis: basisOf(read), id: '', prepared }
    },
  }
}

/** Judges by the hash of their rules: a cue which hung stays off until the file changes. */
function createJudges(limit: TimeLimit) {
  const judges = createLru<string, RulesJudge>(KEPT_FILES)

  function judgeOf({ coach, rulesHash }: CoachFiles): RulesJudge {
    return kept(judges, rulesHash, () => createRulesJudge(coach, limit))
  }

  function basisOf(read: CoachFiles): CoachBasis {
    const { promptHash, rulesHash, coach, problem } = read
    const cut = judgeOf(read).cutOffs.map(
      ({ cue, elapsedMs }) => `the pattern of ${cue} was cut off after ${elapsedMs} ms and is off`,
    )
    const said = [...(problem === null ? [] : [problem]), ...cut].join('; ')
    const { minConfidence } = coach.rules
    return { promptHash, rulesHash, minConfidence, problem: said === '' ? null : said }
  }

  return { judgeOf, basisOf }
}

function createReaders(limit: TimeLimit) {
  const { judgeOf, basisOf } = createJudges(limit)
  /** A file that grows is judged on from where it was. */
  const known = new WeakMap<SessionEvent, { readonly under: string; readonly row: JudgedRow }>()

  async function readRows(read: CoachFiles, session: Session, signal: AbortSignal) {
    const { plan, skill } = itemOf(session, '')
    const under = JSON.stringify([read.promptHash, read.rulesHash, plan, skill])
    const outputs = session.events.filter((event) => event.kind === 'agent')
    const fresh = outputs.filter((event) => known.get(event)?.under !== under)
    for (let from = 0; from < fresh.length; from += SOME) {
      const some = fresh.slice(from, from + SOME)
      // Texts of a long file are not in memory: each is fetched once.
      const texts = some.map((event) => textOf(event, session.texts))
      const verdicts = await judgeOf(read).judge(texts, signal)
      for (const [index, event] of some.entries()) {
        const verdict = verdicts[index] ?? unjudged(index)
        known.set(event, {
          under,
          row: rowOf(read, event.seq, { text: texts[index] ?? '', plan, skill }, verdict),
        })
      }
    }
    // What comes later decides, so it is looked up anew while a file grows.
    const wentOn = outputsThatWentOn(session.events)
    const rows = outputs.map((event) => {
      const row = known.get(event)?.row ?? unjudged(event.seq)
      return { ...row, wentOn: wentOn.has(event.seq) }
    })
    return { basis: basisOf(read), id: session.id, rows }
  }

  async function prepareItems(
    read: CoachFiles,
    items: ReadonlyArray<CoachItem & Pick<CoachRow, 'seq' | 'wentOn'>>,
  ): Promise<CoachPreparedSet['prepared']> {
    const verdicts = await judgeOf(read).judge(
      items.map((item) => item.text),
      NEVER,
    )
    return items.map(({ seq, wentOn, ...item }, index) => {
      const context = contextOf(item.plan, item.skill)
      const rules = verdicts[index] ?? unjudged(index)
      const request = requestOf(read, item.text, context)
      return {
        ...{ seq, wentOn, content: contentOf(item), item, preview: previewOf(item.text) },
        rules,
        continuation: continuationOf(read, context),
        context,
        request: { ...request, gated: decidedByGate(rules) },
      }
    })
  }

  function requestOf(read: CoachFiles, text: string, context: CoachContext): CoachRequest {
    const most = RENDER_LIMIT_MS + moreTime.allPatterns(text.length)
    const built = limit(() => buildRequest(read, text, context), most)
    return valueOrRefuse(built.ok ? built.value : cutOffRequest(built.elapsedMs))
  }

  return { readRows, prepareItems, basisOf }
}

type JudgedRow = Omit<CoachRow, 'wentOn'>

function rowOf(read: CoachFiles, seq: number, item: CoachItem, verdict: Verdict): JudgedRow {
  const { type, confidence, reason } = verdict
  const { system, user, coach } = read
  const chars = Math.min(item.text.length, coach.rules.maxChars)
  return {
    ...{ seq, type, confidence, reason },
    content: contentOf(item),
    gated: decidedByGate(verdict),
    preview: previewOf(item.text),
    tokens: Math.ceil((system.length + user.length + chars) / 4),
  }
}

/** [V17] Plan and skill of a session are the fields `plan` and `skill` of the native header. */
function itemOf(session: Session, text: string): CoachItem {
  const field = (name: string): string | null => {
    const value = ownOf(session.extras, name)
    return typeof value === 'string' ? value : null
  }
  return { text, plan: field('plan'), skill: field('skill') }
}

/** [V13] Equal hashes: the same output in the same context. */
function contentOf({ text, plan, skill }: CoachItem): string {
  return hash('sha256', JSON.stringify([text, plan, skill]))
}

function continuationOf({ coach }: CoachFiles, context: CoachContext): string {
  const plain = { type: 'status' as const, coaching_message: null }
  const verdict: Verdict = { ...plain, ...NOTHING }
  return buildCoachingMessage(verdict, null, context, coach.rules) ?? coach.rules.continuation.plain
}

const NOTHING = { confidence: 1, reason: '', flags: [], source: 'rules', marks: [] } as const

function unjudged(index: number): never {
  throw new Error(`output ${index} was not judged`)
}

function cutOffRequest(elapsedMs: number): Result<CoachRequest> {
  return {
    ok: false,
    error: {
      what: `the request was cut off after ${elapsedMs} ms`,
      where: 'prompts/coach/',
      do: 'Look for a loop in user.md or a pattern of evidence that never ends',
    },
  }
}
