/** The header that Aider writes when a session begins; its time is the first group. */
export const SESSION = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/

const FENCE = /^ {0,3}(```|~~~)(.*)$/
const TYPED = /^#### \S/
const OUTPUT = /^> \S/
/** Lines that nothing but Aider writes; it ends its own lines with two blanks. */
const OWN =
  /^#### .*\S {2}\r?$|^> (?:Tokens: [\d.,]+k? sent|Applied edit to |Commit [0-9a-f]{6,} |Aider v\d)/

/** What is known of the lines so far. */
interface Seen {
  fenced: boolean
  /** A line of Aider's own, outside of fences, before any header. */
  own: boolean
  typed: boolean
  /** The line before (blank ones aside) is a header. */
  header: boolean
  /** A header that Aider's own lines follow. */
  confirmed: boolean
}

/**
 * [I104] Looks for an Aider history in lines that are given in order; true from the line on that shows it.
 * A header needs a line of Aider behind it and a message somewhere. A header in a code fence is a quotation,
 * unless Aider's own lines stand before it.
 */
export function seekAider(): (line: string) => boolean {
  const seen: Seen = {
    fenced: false,
    own: false,
    typed: false,
    header: false,
    confirmed: false,
  }
  return (given) => look(given.replace('\ufeff', ''), seen)
}

function look(line: string, seen: Seen): boolean {
  if (line.trim() === '') return false
  if (SESSION.test(line)) {
    seen.header = !seen.fenced || seen.own
    return false
  }
  takeFence(line, seen)
  const typed = TYPED.test(line)
  seen.confirmed ||= seen.header && (typed || OUTPUT.test(line))
  seen.header = false
  seen.own ||= !seen.fenced && !seen.confirmed && OWN.test(line)
  seen.typed ||= typed && (!seen.fenced || seen.own)
  return seen.confirmed && seen.typed
}

/** A fence with a language always opens one, so a file that begins inside a fence is read right from there on. */
function takeFence(line: string, seen: Seen): void {
  const fence = FENCE.exec(line)
  if (fence !== null) seen.fenced = fence[2]?.trim() !== '' || !seen.fenced
}
