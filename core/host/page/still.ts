import { counted } from '../../engine/result.ts'
import { textOf } from '../../engine/schema/event.ts'
import { EVENT_CODES, type ReplayColumns } from '../../engine/schema/replay.ts'
import type { Session } from '../../engine/schema/session.ts'
import { escapeMarkup } from '../../engine/markup.ts'

/** Text units of a turn that are shown without JavaScript; the whole text is in the window. */
const MOST = 2_000

interface Shown {
  readonly session: Session
  readonly columns: ReplayColumns
  /** Replaces secrets. All displayed text passes through it. */
  readonly redact: (text: string) => string
  /** False: dots replace the texts, and their length is shown. */
  readonly text: boolean
}

/** [R13] Transcript and decisions as plain HTML: the page without JavaScript, and until it has started. */
export function stillHtml(
  { session, columns, redact, text: hasText }: Shown,
  about: readonly string[],
): string {
  const turnOf = new Map(columns.seq.map((seq, turn) => [seq, turn]))
  const rows = session.events.map((event, seq) => {
    const turn = turnOf.get(seq)
    const text = hasText ? redact(textOf(event, session.texts)) : counted(event.chars, 'character')
    const cut = text.length > MOST ? `${text.slice(0, MOST)} …` : text
    const cells = [
      turn === undefined ? '' : String(turn + 1),
      event.kind,
      decision(columns, turn),
      cut,
    ]
    return `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join('')}</tr>`
  })
  const said = about.map((line) => `<p>${escapeMarkup(line)}</p>`).join('')
  const title = escapeMarkup(redact(session.title === '' ? session.id : session.title))
  const head = '<tr><th>Turn</th><th>Event</th><th>Decision</th><th>Text</th></tr>'
  return `<div class="still"><h1>${title}</h1>${said}<table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></div>`
}

/** `coding + analysis, hold` */
function decision(columns: ReplayColumns, turn: number | undefined): string {
  if (turn === undefined) return ''
  const name = (domain: number | undefined) => columns.domains[domain ?? -1]
  const domains = [name(columns.primary[turn]), name(columns.secondary[turn])]
  const event = EVENT_CODES[columns.event[turn] ?? 0]
  return `${domains.filter((each) => each !== undefined).join(' + ')}, ${event ?? ''}`
}
