/**
 * Words in the names of tags in which harnesses wrap messages. A name with one of these words is a wrapper even if its
 * body is on the same line or begins with another tag.
 */
const HARNESS_WORDS: ReadonlySet<string> = new Set([
  'system',
  'harness',
  'agent',
  'subagent',
  'teammate',
  'coordinator',
  'peer',
  'session',
  'hook',
  'reminder',
  'notification',
  'notice',
  'caveat',
  'context',
  'instruction',
  'instructions',
  'permissions',
  'webhook',
  'wakeup',
  'scheduled',
  'heartbeat',
  'compaction',
  'stdout',
  'stderr',
  'diagnostics',
  'skill',
  'skills',
  'plugin',
  'plugins',
  'mcp',
  'ide',
  'codex',
  'claude',
  'gemini',
  'memory',
  'transcript',
  'background',
])

/** Single words that users also put around their own text. */
const OWN_WORDS: ReadonlySet<string> = new Set(['instruction', 'instructions', 'transcript'])

/** Words in the names of tags that templates put around typed text: their contents stay the user's. */
const USER_WORDS: ReadonlySet<string> = new Set([
  'query',
  'question',
  'request',
  'description',
  'statement',
  'problem',
  'issue',
  'ticket',
  'feedback',
  'answer',
  'document',
  'human',
])

/** Lowercase words joined by hyphens or underscores. HTML, SVG and JSX names are one word, custom elements have a hyphen. */
const OPENING = /^<([a-z][a-z\d]*(?:[-_][a-z\d]+)*)((?:\s+[a-zA-Z][\w-]*="[^"<>{}]*")*)\s*>/

/** Attributes of markup, which no harness writes. */
const MARKUP_ATTRIBUTE =
  /\s(?:class|className|style|slot|is|part|href|src|xmlns|tabindex|on\w+|data-[\w-]+|aria-[\w-]+|v-[\w-]+)="/

/** Names of HTML and SVG that have a hyphen. */
const HTML_NAMES: ReadonlySet<string> = new Set([
  'annotation-xml',
  'color-profile',
  'font-face',
  'font-face-src',
  'font-face-uri',
  'font-face-format',
  'font-face-name',
  'missing-glyph',
])

/** A body that begins with an element of HTML, SVG or JSX. */
const MARKUP_BODY =
  /^\s*<(?:[A-Z]|(?:div|span|p|a|ul|ol|li|dl|button|input|form|label|select|option|table|thead|tbody|tr|td|th|img|h[1-6]|section|article|header|footer|nav|main|aside|svg|path|g|script|style|template|slot|br|hr|body|head|html|ng-[a-z]+|router-outlet)[\s/>])/

/**
 * [I172] The name of the wrapper that a whole text is, or null. A wrapper is one element with quoted attributes at
 * most, whose name has words joined by `-` or `_`, or is one word of a harness. Without such a word in it, and if it
 * is one word, it also has to have its tags on lines of their own around prose: a custom element of a page indents its
 * contents or has them on the same line. Takes time linear in the text.
 */
export function unknownWrapper(text: string): string | null {
  // Most texts begin with something else.
  const start = text.search(/\S/)
  if (text.charAt(start) !== '<') return null
  const trimmed = text.trim()
  const [tag = '', name = '', attributes = ''] = OPENING.exec(trimmed.slice(0, 2000)) ?? []
  const closing = `</${name}>`
  if (name === '' || HTML_NAMES.has(name) || MARKUP_ATTRIBUTE.test(attributes)) return null
  // Exactly one element: its first closing tag is at the end of the text.
  if (trimmed.indexOf(closing, tag.length) !== trimmed.length - closing.length) return null
  const words = name.split(/[-_]/)
  if (words.some((word) => USER_WORDS.has(word))) return null
  const body = trimmed.slice(tag.length, -closing.length)
  if (MARKUP_BODY.test(body.slice(0, 2000))) return null
  return isWrapper(words, body) ? name : null
}

function isWrapper(words: readonly string[], body: string): boolean {
  const isHarness = words.some((word) => HARNESS_WORDS.has(word))
  const [only] = words.length === 1 ? words : []
  if (only !== undefined && (!isHarness || OWN_WORDS.has(only))) return false
  // Tags on lines of their own around prose.
  return (isHarness && only === undefined) || /^\r?\n[^\s<][^]*\n$/.test(body)
}
