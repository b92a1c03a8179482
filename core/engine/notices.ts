/**
 * [B27] What clients write into a tool result on their own account: that there is no output, or how many lines they
 * hide. Each shape is a whole line, as these programs write it.
 */
const SHAPES: readonly string[] = [
  // Claude Code, SWE-agent, Cline, LangChain: a tool that printed nothing
  String.raw`\((?:no (?:output|content)|empty)\)`,
  String.raw`(?:Your command|Tool|Command) (?:ran|executed|completed) successfully(?: and did not produce any output| with no output)\.?`,
  String.raw`Tool ran without output or errors`,
  // Gemini CLI, the report of its shell tool
  String.raw`(?:Error|Stdout|Stderr|Output|Signal|Background PIDs|Process Group PGID): \((?:none|empty)\)`,
  String.raw`Exit Code: (?:0|\(none\))`,
  // Claude Code in a terminal: tools that are at work, and folded results
  String.raw`(?:Waiting|Running)(?:…|\.{3})`,
  String.raw`(?:Found|Read|Listed) \d{1,9} (?:files?|lines?|matches|match|results?|paths?|items?)(?: \(ctrl\+[a-z] to expand\))?`,
  String.raw`(?:…|\.{3}) \+\d{1,9} lines?(?: \(ctrl\+[a-z] to (?:expand|see all)\))?`,
  String.raw`\(timeout \d{1,6}m?s?\)`,
  // Claude Code, Gemini CLI: searches without a result
  String.raw`No (?:files|matches|results) found\.?`,
  // Claude Code, the result of its todo list
  String.raw`Todos have been modified successfully\. Ensure that you continue to use the todo list to track your progress\. Please proceed with the current tasks if applicable`,
]
const NOTICE = new RegExp(`^(?:${SHAPES.join('|')})$`, 'iu')

/** Longer lines are no notices. */
const LONGEST = 200
/** A text of notices alone is short. */
const LONGEST_TEXT = 1000

/** First letters of the shapes. Every line of every scored text is compared with them, so the rest must be rare. */
const FIRST = new Uint8Array(128)
for (const letter of '(.ytcesobprwfln') {
  FIRST[letter.charCodeAt(0)] = 1
  FIRST[letter.toUpperCase().charCodeAt(0)] = 1
}
const ELLIPSIS = 0x2026
const BLANK = 0x20
const TAB = 0x09

/** [B27] True for a line `[from, to)` of a text that only its client wrote. */
export function isNoticeAt(text: string, from: number, to: number): boolean {
  if (to - from > LONGEST) return false
  let start = from
  while (start < to && (text.charCodeAt(start) === BLANK || text.charCodeAt(start) === TAB))
    start += 1
  const first = text.charCodeAt(start)
  if (FIRST[first] !== 1 && first !== ELLIPSIS) return false
  return NOTICE.test(text.slice(start, to).trimEnd())
}

function isNoticeLine(line: string): boolean {
  return isNoticeAt(line, 0, line.length)
}

/** [B27] True for a text with nothing but such lines, or with no words at all. */
export function isNotice(text: string): boolean {
  if (text.length > LONGEST_TEXT) return text.trim() === ''
  return text.split('\n').every((line) => line.trim() === '' || isNoticeLine(line))
}
