import { z } from 'zod'
import { counted } from '../../../engine/result.ts'
import { textOf } from '../../../engine/schema/event.ts'
import { EVENT_CODES } from '../../../engine/schema/replay.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { SessionReplay } from '../../../host/replay/session/replay.ts'
import { addressOf, openFile, sessionIn } from '../handle.ts'
import { UNDER, sideOf } from '../inputs.ts'
import { CURSOR, NEXT, clipped, pageOf, startOf } from '../page.ts'
import { READS, tool } from '../tool.ts'

const Row = z.object({
  turn: z.string(),
  kind: z.string(),
  primary: z.string(),
  secondary: z.string().nullable(),
  event: z.string().describe('What momentum did: same, accept, hold, resist, widen or break.'),
  text: z.string(),
})
type Row = z.infer<typeof Row>

const Output = z.object({
  file: z.string(),
  format: z.string(),
  session: z.int(),
  sessions: z.array(
    z.object({ session: z.int(), id: z.string(), title: z.string(), thread: z.string() }),
  ),
  sessionsInFile: z.int(),
  turns: z.int(),
  domains: z.array(z.object({ domain: z.string(), turns: z.int() })),
  problems: z.int().describe('Lines of the file that could not be used.'),
  warnings: z.array(z.string()),
  rows: z.array(Row),
  ...NEXT,
})

/** Sessions that a summary names. */
const MOST_SESSIONS = 10

/** `turnscope replay FILE`: every turn with its decision, after a summary. */
export const openSession = tool({
  name: 'open_session',
  title: 'Open a session',
  description:
    'Replays a transcript: format, sessions in the file, turns by domain, then turn after turn what was decided. Go on with `cursor`, or begin at a turn with `from`.',
  input: z.strictObject({
    file: z.string().min(1).max(4096),
    session: z.int().min(1).default(1).describe('Which session of the file.'),
    from: z.int().min(1).optional().describe('First turn that is listed.'),
    ...UNDER,
    ...CURSOR,
  }),
  output: Output,
  hints: READS,
  run: async (desk, { file, session: number, from, cursor, ...under }, waiting) => {
    const side = await desk.resolve(sideOf(desk, under))
    const opened = await openFile(desk, file, waiting)
    try {
      const { transcript } = opened
      const session = sessionIn(opened, file, number)
      const replayed = await desk.replay(side, session, waiting)
      const start = cursor === undefined ? (from ?? 1) - 1 : startOf(cursor)
      const rows = rowsOf(replayed, session, { file, number, start })
      const page = pageOf(rows, lineOf, {
        from: start,
        more: start + rows.length < replayed.turns.length,
      })
      const sessions = transcript.sessions.slice(0, MOST_SESSIONS).map((each, at) => ({
        session: at + 1,
        id: clipped(each.id, 80),
        title: clipped(each.title, 80),
        thread: clipped(each.thread, 40),
      }))
      const value = {
        file,
        format: transcript.format,
        session: number,
        sessions,
        sessionsInFile: transcript.sessions.length,
        turns: replayed.turns.length,
        domains: countDomains(replayed),
        problems: transcript.problemTotal,
        warnings: replayed.columns.warnings.slice(0, 5).map((warning) => clipped(warning, 200)),
        rows: [...page.shown],
        next: page.next,
      }
      return { value, text: textOfAnswer(value, page.lines) }
    } finally {
      opened.close()
    }
  },
})

/** Rows that are made of one answer; fewer fit. */
const MOST_ROWS = 60

function rowsOf(
  replayed: SessionReplay,
  { texts }: Session,
  at: { readonly file: string; readonly number: number; readonly start: number },
): readonly Row[] {
  const { columns } = replayed
  const name = (place: number | undefined) => columns.domains[place ?? -1] ?? null
  return replayed.turns.slice(at.start, at.start + MOST_ROWS).map((event, index) => {
    const turn = at.start + index
    return {
      turn: addressOf(at.file, at.number, turn + 1),
      kind: event.kind,
      primary: name(columns.primary[turn]) ?? '',
      secondary: name(columns.secondary[turn]),
      event: EVENT_CODES[columns.event[turn] ?? 0] ?? 'same',
      text: clipped(textOf(event, texts).slice(0, 2000), 120),
    }
  })
}

function countDomains({ columns }: SessionReplay) {
  const counts = new Map<string, number>()
  for (const place of columns.primary) {
    const domain = columns.domains[place] ?? ''
    counts.set(domain, (counts.get(domain) ?? 0) + 1)
  }
  return [...counts]
    .map(([domain, turns]) => ({ domain, turns }))
    .toSorted((a, b) => b.turns - a.turns)
    .slice(0, 20)
}

const lineOf = ({ turn, primary, secondary, event, text }: Row) =>
  `${turn.slice(turn.lastIndexOf('#'))} ${primary}${secondary === null ? '' : ` + ${secondary}`} (${event}): ${text}`

function textOfAnswer(value: z.infer<typeof Output>, lines: readonly string[]): string {
  const { file, format, turns, sessionsInFile, session, domains, problems, next } = value
  return [
    `${file}: ${format}, session ${session} of ${sessionsInFile}, ${counted(turns, 'turn')}, ${counted(problems, 'line')} not used`,
    domains.map(({ domain, turns: count }) => `${domain} ${count}`).join(', '),
    ...lines,
    ...(next === null ? [] : [`more: cursor "${next}"`]),
  ].join('\n')
}
