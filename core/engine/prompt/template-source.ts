import { tokenize } from '@huggingface/jinja'

type Token = ReturnType<typeof tokenize>[number]

const RAW = /\{%([-+]?)\s*raw\s*(-?)%\}([\s\S]*?)\{%([-+]?)\s*endraw\s*([-+]?)%\}/g

/** [L13] What stands between `raw` and `endraw` is text: it becomes a variable that holds it. */
export function takeRaw(source: string): {
  readonly source: string
  readonly texts: readonly string[]
} {
  const texts: string[] = []
  const taken = source.replace(
    RAW,
    (_, ...[before, first, text, last, after]: readonly string[]) => {
      const own = text ?? ''
      const start = first === '-' ? own.trimStart() : own
      texts.push(last === '-' ? start.trimEnd() : start)
      return `{{${before === '-' ? '-' : ''} ${rawName(texts.length - 1)} ${after === '-' ? '-' : ''}}}`
    },
  )
  // A plus keeps white space that only settings we do not have would take away.
  return { source: taken.replace(/\{%\+/g, '{%').replace(/\+%\}/g, '%}'), texts }
}

export const rawName = (index: number): string => `__raw_${index}`

/** The parser takes its own tokens only: they are read from code. */
const tokens = (code: string): readonly Token[] => tokenize(`{{ ${code} }}`).slice(1, -1)
const [OPEN, , COLON, , CLOSE] = tokens('{"a": 1}')
const LOOP = tokens('for __with in')
const END = tokens('endfor')

/** Names of a `with` are those right before an equals sign outside of all brackets. */
function withTag(inner: readonly Token[]): readonly Token[] {
  let depth = 0
  const pairs = inner.map((each, at) => {
    if (each.type.startsWith('Open')) depth++
    if (each.type.startsWith('Close')) depth--
    if (depth > 0) return each
    if (each.type === 'Equals') return COLON
    const isName = each.type === 'Identifier' && inner[at + 1]?.type === 'Equals'
    return isName ? tokens(`"${each.value}"`)[0] : each
  })
  return [...LOOP, ...[OPEN, ...pairs, CLOSE].filter((each) => each !== undefined)]
}

/**
 * Tokens of a template. `{% with a = 1 %}` is a scope of its own, which the parser does not know: it
 * reads it as a loop over `{"a": 1}`, and the run knows that loop by its name.
 */
export function tokensOf(source: string): Token[] {
  const all = tokenize(source)
  const written: Token[] = []
  for (let at = 0; at < all.length; at++) {
    const each = all[at]
    if (each === undefined) break
    const isTag = all[at - 1]?.type === 'OpenStatement' && each.type === 'Identifier'
    if (isTag && each.value === 'with') {
      const end = all.findIndex(({ type }, index) => index > at && type === 'CloseStatement')
      written.push(...withTag(all.slice(at + 1, end)))
      at = end - 1
    } else if (isTag && each.value === 'endwith') written.push(...END)
    else written.push(each)
  }
  return written
}
