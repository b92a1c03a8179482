import { hash } from 'node:crypto'
import { createLru } from '../../../engine/lru.ts'
import { type SaidOutput, askedIn } from '../../../engine/coach/asked.ts'
import { buildCoachingMessage } from '../../../engine/coach/message.ts'
import { decidedByGate } from '../../../engine/coach/output.ts'
import { contextOf } from '../../../engine/coach/plan.ts'
import { recordedAnswers } from '../../../engine/coach/recorded.ts'
import { outputsThatWentOn } from '../../../engine/coach/went-on.ts'
import type { Result } from '../../../engine/result.ts'
import type { CoachContext, CoachTask, Verdict } from '../../../engine/schema/coach.ts'
import { type SessionEvent, textOf } from '../../../engine/schema/event.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { type TimeLimit, moreTime } from '../../platform/guard/guard.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { type SharedWork, createSharedWork } from '../../platform/threads/shared-work.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type RulesJudge, createRulesJudge } from './judge.ts'
import type { CoachDraft } from '../../../wire/coach.ts'
import { NO_DRAFT } from '../../../wire/defaults.ts'
import { isOutput } from './output.ts'
import { type CoachFiles, readCoachFiles } from './prompt-files.ts'
import { type CoachRequest, buildRequest, previewOf } from './request.ts'
import { type TaskOfSession, taskOf } from './task.ts'
import type {
  CoachBasis,
  CoachItem,
  CoachPrepared,
  CoachPreparedSet,
  CoachRow,
  CoachRows,
} from '../../../wire/internal/coach.ts'

/** The half of the coach that needs texts and patterns: files, rules, requests. Calls no model. */
export interface CoachRequests {
  /** The files with a draft in their place; throws a refusal when they cannot be used. */
  files(draft?: CoachDraft): Promise<CoachFiles>
  rows(of: SessionWithTask, signal: AbortSignal): Promise<CoachRows>
  prepare(of: SessionWithTask, seqs: readonly number[]): Promise<CoachPreparedSet>
  items(items: readonly CoachItem[], draft: CoachDraft): Promise<CoachPreparedSet>
}

/** A session, the path of its file, and the task if the operator states it. */
export interface SessionWithTask {
  readonly session: Session
  readonly transcript: string
  readonly task: CoachTask | undefined
}

const KEPT_FILES = 4
/** Maximum outputs whose texts are in memory. */
const SOME = 256
/** A template that runs this long hangs. */
const RENDER_LIMIT_MS = 2000
const { signal: NEVER } = new AbortController()

/** @param workspace its root, and all roots whose coach files count */
export function createCoachRequests(
  { root, roots }: Pick<Workspace, 'root' | 'roots'>,
  limit: TimeLimit,
): CoachRequests {
  const known = new WeakMap<Session, SharedWork<CoachRows>>()

  async function files(draft: CoachDraft = NO_DRAFT): Promise<CoachFiles> {
    return valueOrRefuse(await readCoachFiles(roots, draft))
  }

  const { readRows, prepareItems, basisOf } = createReaders(limit)

  return {
    files,
    rows: async ({ session, ...asked }, signal) => {
      const read = await files()
      const task = await taskOf(session, { ...asked, workspace: root })
      const work = known.get(session) ?? createSharedWork<CoachRows>(1)
      known.set(session, work)
      const key = JSON.stringify([read.promptHash, read.rulesHash, session.events.length, task])
      return work.get(key, { signal, start: (stop) => readRows(read, { session, task }, stop) })
    },
    prepare: async ({ session, ...asked }, seqs) => {
      const read = await files()
      const {
        problem: planProblem,
        header,
        ...task
      } = await taskOf(session, { ...asked, workspace: root })
      const wentOn = outputsThatWentOn(session.events)
      const answers = recordedAnswers(session)
      const before = askedIn(session)
      const items = seqs.map((seq) => {
        const event = session.events[seq]
        if (event?.kind === 'agent') {
          const of = { wentOn: wentOn.has(seq), header, task: { ...task, asked: before(seq) } }
          return { ...outputAt(session, event, of), recorded: [...(answers.get(seq) ?? [])] }
        }
        throw noOutput(seq)
      })
      const prepared = await prepareItems(read, items)
      return { basis: basisOf(read), id: session.id, planProblem, prepared }
    },
    items: async (items, draft) => {
      const read = await files(draft)
      const prepared = await prepareItems(
        read,
        items.map((item, seq) => ({
          item,
          seq,
          wentOn: false,
          labelContent: contentOf(item),
          recorded: [],
        })),
      )
      return { basis: basisOf(read), id: '', planProblem: null, prepared }
    },
  }
}

/** Judges by the hash of their rules: a cue which hung stays off until the file changes. */
function createJudges(limit: TimeLimit) {
  const judges = createLru<string, RulesJudge>(KEPT_FILES)

  function judgeOf({ coach, rulesHash }: CoachFiles): RulesJudge {
    return getOrMake(judges, rulesHash, () => createRulesJudge(coach, limit))
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
  /** When a file grows, only its new outputs are judged. */
  const known = new WeakMap<SessionEvent, { readonly under: string; readonly row: JudgedRow }>()

  async function readRows(
    read: CoachFiles,
    { session, task }: { readonly session: Session; readonly task: TaskOfSession },
    signal: AbortSignal,
  ) {
    const { problem: planProblem, header, ...item } = task
    const under = JSON.stringify([read.promptHash, read.rulesHash, item])
    // Depends on later events, so it is recomputed while a file grows.
    const wentOn = outputsThatWentOn(session.events)
    const outputs = session.events.filter((event) => isOutput(event, wentOn))
    const asked = askedIn(session)
    const fresh = outputs.filter((event) => known.get(event)?.under !== under)
    for (let from = 0; from < fresh.length; from += SOME) {
      const some = fresh.slice(from, from + SOME)
      const said = some.map((event) => saidAt(session, event, asked))
      const verdicts = await judgeOf(read).judge(said, signal)
      for (const [index, event] of some.entries()) {
        const verdict = verdicts[index] ?? unjudged(index)
        const text = said[index]?.text ?? ''
        const place = { seq: event.seq, labelContent: contentOf({ text, ...header }) }
        known.set(event, { under, row: { ...place, ...rowOf(read, { text, ...item }, verdict) } })
      }
    }
    const answers = recordedAnswers(session)
    const rows = outputs.map((event) => ({
      ...(known.get(event)?.row ?? unjudged(event.seq)),
      recorded: [...(answers.get(event.seq) ?? [])],
      wentOn: wentOn.has(event.seq),
    }))
    return { basis: basisOf(read), id: session.id, planProblem, rows }
  }

  async function prepareItems(
    read: CoachFiles,
    items: readonly OutputAt[],
  ): Promise<CoachPreparedSet['prepared']> {
    const verdicts = await judgeOf(read).judge(
      items.map(({ item: { text, asked = null } }) => ({ text, asked })),
      NEVER,
    )
    return items.map(({ item, ...place }, index) => {
      const context = contextOf(item.plan, item.skill, item.criteria)
      const rules = verdicts[index] ?? unjudged(index)
      const request = requestOf(read, item.text, context)
      return {
        ...place,
        content: contentOf(item),
        item,
        preview: previewOf(item.text),
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

function noOutput(seq: number) {
  const what = `event ${seq} is no output of an agent`
  return refusal({ what, where: 'this session', do: 'Choose another event' })
}

/** Texts of a long file are not in memory: each is fetched once. */
function saidAt(
  { texts }: Session,
  event: SessionEvent,
  asked: (seq: number) => string | null,
): SaidOutput {
  return { text: textOf(event, texts), asked: asked(event.seq) }
}

type JudgedRow = Omit<CoachRow, 'wentOn' | 'recorded'>

/** An output with its place in a session, and the key of its label. */
type OutputAt = Pick<CoachPrepared, 'seq' | 'wentOn' | 'labelContent' | 'item' | 'recorded'>

function outputAt(
  { texts }: Session,
  event: SessionEvent,
  {
    wentOn,
    header,
    task,
  }: Pick<TaskOfSession, 'header'> & {
    readonly wentOn: boolean
    readonly task: Omit<CoachItem, 'text'>
  },
): Omit<OutputAt, 'recorded'> {
  const text = textOf(event, texts)
  const labelContent = contentOf({ text, ...header })
  return { seq: event.seq, wentOn, labelContent, item: { text, ...task } }
}

function rowOf(
  read: CoachFiles,
  item: CoachItem,
  verdict: Verdict,
): Omit<JudgedRow, 'seq' | 'labelContent'> {
  const { type, confidence, reason, flags } = verdict
  const { system, user, coach } = read
  const chars = Math.min(item.text.length, coach.rules.maxChars)
  return {
    type,
    confidence,
    reason,
    flags,
    content: contentOf(item),
    gated: decidedByGate(verdict),
    preview: previewOf(item.text),
    tokens: Math.ceil((system.length + user.length + chars) / 4),
  }
}

/** [V13] Equal hashes: the same output in the same context. */
function contentOf({ text, plan, skill, criteria = [] }: CoachItem): string {
  // Keeps the keys of answers stored before plans were read.
  const read = criteria.length === 0 ? [] : [criteria]
  return hash('sha256', JSON.stringify([text, plan, skill, ...read]))
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
