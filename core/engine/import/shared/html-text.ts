import { entryOf } from './guards.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** Elements that end a line. */
const BLOCKS: readonly string[] = [
  'p',
  'div',
  'br',
  'li',
  'tr',
  'ul',
  'ol',
  'table',
  'blockquote',
  'pre',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]

/** Blocks that follow each other without a blank line. */
const ROWS: readonly string[] = ['li', 'tr', 'ul', 'ol', 'div', 'p']

/** Elements whose content is not text, and what ends it. The end of a head may be left out before the body. */
const HIDDEN: Readonly<Record<string, RegExp>> = {
  script: /<\/script(?=[\s/>])/giu,
  style: /<\/style(?=[\s/>])/giu,
  head: /<(?:\/head|body)(?=[\s/>])/giu,
}

/** Decodes the entities of HTML. Takes linear time. */
export function withoutEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/giu, (whole, name: string) => {
    const lower = name.toLowerCase()
    if (!lower.startsWith('#')) return ENTITIES[lower] ?? whole
    const code = lower.startsWith('#x')
      ? Number.parseInt(lower.slice(2), 16)
      : Number(lower.slice(1))
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole
  })
}

/** Index of the first match of a global pattern at or after `from`; the length of the text if there is none. */
function positionOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** The text of an HTML fragment: block elements end a line. Nothing is executed; takes linear time. */
export function htmlText(html: string): string {
  const kept: string[] = []
  let at = 0
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', at)) {
    const isTag = /[a-z/!]/iu.test(html.charAt(open + 1))
    const close = isTag ? html.indexOf('>', open) : -1
    if (isTag && close < 0) break
    kept.push(html.slice(at, isTag ? open : open + 1))
    at = isTag ? close + 1 : open + 1
    if (!isTag) continue
    const [name = ''] = /^\/?([a-z0-9]*)/iu.exec(html.slice(open + 1, open + 20)) ?? []
    const tag = name.toLowerCase().replace('/', '')
    if (BLOCKS.includes(tag) && !(name.startsWith('/') && ROWS.includes(tag))) kept.push('\n')
    const end = name.startsWith('/') ? undefined : entryOf(HIDDEN, tag)
    if (end !== undefined) at = positionOf(end, html, at)
  }
  const text = withoutEntities(kept.join('') + html.slice(at))
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '')
    .join('\n')
    .trim()
}
