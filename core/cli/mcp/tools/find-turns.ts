import { z } from 'zod'
import { shownName } from '../../../engine/context/source.ts'
import { excerptOf } from '../../../engine/find/excerpt.ts'
import { createMatcher } from '../../../engine/find/match.ts'
import { parseQuery } from '../../../engine/find/parse.ts'
import type { Query } from '../../../engine/find/query.ts'
import { counted } from '../../../engine/result.ts'
import { textOf, type SessionEvent } from '../../../engine/schema/event.ts'
import type { Session } from '../../../engine/schema/session.ts'
import { turnsOf } from '../../../engine/turns.ts'
import type { Waiting } from '../../../host/corpus/waiting.ts'
import { findEvents } from '../../../host/find/session/find.ts'
import type { ResolvedSide } from '../../../host/drafts/sides.ts'
import type { OpenTranscript } from '../../../host/transcripts/open-transcript.ts'
import { createBreath } from '../../../host/platform/threads/yielding.ts'
import { factsUnder, transcriptsAt } from '../../find/find.ts'
import { valueOrFail } from '../../kit/output.ts'
import type { Desk } from '../desk.ts'
import { addressOf, openFile } from '../handle.ts'
import { UNDER, type Under, configOf, sideOf } from '../inputs.ts'
import { CURSOR, NEXT, clipped, pageOf, startOf } from '../page.ts'
import { READS, tool } from '../tool.ts'

const Hit = z.object({
  turn: z.string().nullable().describe('Address; null where the event is not classified.'),
  file: z.string(),
  line: z.int().describe('Line of the file.'),
  kind: z.string(),
  name: z.string().nullable().describe('Tool or author.'),
  text: z.string(),
})
type Hit = z.infer<typeof Hit>

const QUERY = `Words, "quoted text", /regular expression/flags and filters, all of which must hold; - excludes, commas are alternatives. Filters: role:user,agent,tool  kind:tool_result  tool:bash  error:yes  domain:coding  signal:stuck  event:break,resist  flip:domain  label:wrong,right  compare:coding  context:rule,skill  skill:NAME  injected:PATH  tokens>150k (recorded tokens in the context of the event's call)`

/** `turnscope find QUERY PATH…` */
export const findTurns = tool({
  name: 'find_turns',
  title: 'Find turns',
  description: `Finds events of transcripts, in files and folders, by text and by what was decided. ${QUERY}`,
  input: z.strictObject({
    query: z.string().min(1).max(2000),
    paths: z.array(z.string().min(1).max(4096)).min(1).max(50).default(['.']),
    compare: z
      .string()
      .max(200)
      .optional()
      .describe('Second preset, which flip: and compare: ask.'),
    ...UNDER,
    ...CURSOR,
  }),
  output: z.object({
    found: z.array(Hit),
    cutOff: z.int().describe('Texts on which the regular expression ran out of time.'),
    ...NEXT,
  }),
  hints: READS,
  run: async (desk, { query: written, paths, compare, cursor, ...under }, waiting) => {
    const query = valueOrFail(parseQuery(written))
    const start = startOf(cursor)
    const asked = { query, paths, compare, under, until: start + MOST }
    const { hits, cutOff } = await search(desk, asked, waiting)
    const rest = hits.slice(start)
    const page = pageOf(rest.slice(0, MOST), lineOf, { from: start, more: rest.length > MOST })
    const head = page.shown.length === 0 ? 'nothing was found' : counted(page.shown.length, 'event')
    const lines = [head, ...page.lines]
    if (cutOff > 0)
      lines.push(`the regular expression ran out of time on ${counted(cutOff, 'text')}`)
    if (page.next !== null) lines.push(`more: cursor "${page.next}"`)
    return { value: { found: [...page.shown], cutOff, next: page.next }, text: lines.join('\n') }
  },
})

/** Events of one answer; fewer fit. */
const MOST = 60

interface Asked {
  readonly query: Query
  readonly paths: readonly string[]
  readonly compare: string | undefined
  readonly under: Under
  /** One more than so many is enough to know that there is more. */
  readonly until: number
}

async function search(desk: Desk, asked: Asked, waiting: Waiting) {
  const facts = await factsOf(desk, asked, waiting)
  const { compiled } = await desk.resolve(sideOf(desk, asked.under))
  const hits: Hit[] = []
  let cutOff = 0
  for (const path of asked.paths) {
    const real = await desk.places.real(path)
    for await (const file of transcriptsAt(real, desk.formats, waiting.signal)) {
      const opened = await openFile(desk, file, waiting).catch((error: unknown) => {
        if (file === real) throw error
        // Of a folder one file that cannot be read costs itself.
        return null
      })
      if (opened === null) continue
      try {
        const found = await searchFile(
          { desk, asked, facts, compiled, waiting },
          file,
          opened,
          hits,
        )
        cutOff += found
      } finally {
        opened.close()
      }
      if (hits.length > asked.until) return { hits, cutOff }
    }
  }
  return { hits, cutOff }
}

interface Searching {
  readonly desk: Desk
  readonly asked: Asked
  readonly facts: ReturnType<typeof factsUnder>
  readonly compiled: ResolvedSide['compiled']
  readonly waiting: Waiting
}

/** Adds the hits of one file to `hits`. Returns the number of texts on which the pattern was cut off. */
async function searchFile(
  { desk, asked, facts, compiled, waiting }: Searching,
  file: string,
  { transcript }: OpenTranscript,
  hits: Hit[],
): Promise<number> {
  let cutOff = 0
  for (const [index, session] of transcript.sessions.entries()) {
    const most = asked.until + 1 - hits.length
    if (most <= 0) break
    const { events } = session
    const around = { facts: await facts(session, { file, index }), events }
    const matcher = valueOrFail(createMatcher(asked.query, around))
    const breath = createBreath(waiting.signal)
    const found = await findEvents(session, matcher, { limit: desk.limit, breath, most })
    cutOff += found.cutOff
    const turns = new Map(
      turnsOf(session.events, compiled.classify).map(({ seq }, turn) => [seq, turn + 1]),
    )
    const shown = desk.places.shown(file)
    const at = { desk, query: asked.query, file: shown, number: index + 1, turns }
    hits.push(...found.seqs.flatMap((seq) => hitOf(at, session, seq)))
  }
  return cutOff
}

async function factsOf(desk: Desk, { query, compare, under }: Asked, waiting: Waiting) {
  const replayer = async (one: Under) => {
    const side = await desk.resolve(sideOf(desk, one))
    return { replay: (session: Session) => desk.replay(side, session, waiting) }
  }
  const { workspace } = desk
  return factsUnder(query, {
    workspace,
    config: configOf(desk, under),
    signal: waiting.signal,
    base: await replayer(under),
    other: compare === undefined ? null : await replayer({ ...under, preset: compare }),
  })
}

function hitOf(
  at: {
    readonly desk: Desk
    readonly query: Query
    readonly file: string
    readonly number: number
    readonly turns: ReadonlyMap<number, number>
  },
  { events, texts }: Session,
  seq: number,
): readonly Hit[] {
  const event = events[seq]
  if (event === undefined) return []
  const text = textOf(event, texts)
  const made = at.desk.limit(() => excerptOf({ text }, at.query), 1000)
  const turn = at.turns.get(seq)
  return [
    {
      turn: turn === undefined ? null : addressOf(at.file, at.number, turn),
      file: at.file,
      line: event.source.line,
      kind: event.kind,
      name: nameOf(event),
      text: clipped(made.ok ? made.value.text : text.slice(0, 240), 200),
    },
  ]
}

function nameOf(event: SessionEvent): string | null {
  const name = shownName(event)
  return name === null ? null : clipped(name, 60)
}

const lineOf = ({ turn, file, line, kind, name, text }: Hit) =>
  `${turn ?? `${file}:${line}`} ${kind}${name === null ? '' : ` ${name}`}: ${text}`
