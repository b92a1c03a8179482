import { kilobytes } from '../shared/content-blocks.ts'
import { asText, compact, isList, isObject, listAt, own, textAt } from '../shared/guards.ts'
import { withoutElements } from '../shared/tags.ts'

/** A Markdown text: a string, or an object with it as `value`. */
export function markdown(value: unknown): string {
  return asText(value) ?? textAt(value, 'value') ?? ''
}

/** Location of a file or symbol: a path, without the scheme of local files. */
export function pathOf(value: unknown): string {
  const uri = own(value, 'uri') ?? own(value, 'location') ?? value
  const place = own(uri, 'uri') ?? uri
  const path = textAt(place, 'fsPath', 'path', 'external')
  return path ?? asText(place) ?? ''
}

/** The name of a reference in a text. */
export function referenceName(part: unknown): string {
  const target = own(part, 'inlineReference') ?? own(part, 'value')
  const name = textAt(part, 'name') ?? textAt(target, 'name')
  return name ?? pathOf(target).split(/[/\\]/).at(-1) ?? ''
}

/** At most this many nested pieces of a rendered prompt are looked at. */
const MOST_NODES = 100_000

/** Text of a prompt that was rendered as a tree: pieces in order, each on a separate line if it is marked so. */
function treeText(root: unknown): string {
  const waiting: unknown[] = [root]
  const lines: string[] = []
  for (let count = 0; count < MOST_NODES && waiting.length > 0; count += 1) {
    const node = waiting.pop()
    const text = own(node, 'text')
    if (typeof text === 'string')
      lines.push(own(node, 'lineBreakBefore') === true && lines.length > 0 ? `\n${text}` : text)
    for (const child of listAt(node, 'children').toReversed()) waiting.push(child)
  }
  return lines.join('')
}

/** One item of a tool's output for the model. */
function itemText(item: unknown): string {
  if (typeof item === 'string') return item
  const value = own(item, 'value') ?? own(item, 'text')
  if (isObject(value) && own(value, 'node') !== undefined) return treeText(own(value, 'node'))
  const type = textAt(item, 'mimeType') ?? textAt(value, 'mimeType')
  const bytes = own(item, 'isText') === false || (typeof value !== 'string' && type !== null)
  if (bytes) {
    const what = type?.startsWith('image/') === true ? 'image' : 'file'
    return `[${[what, type?.slice(0, 60)].filter(Boolean).join(' ')}${kilobytes(value)}]`
  }
  return compact(value ?? item)
}

/** A tool's output for the model: text, or a list of texts, rendered prompts and bytes. */
export function outputText(output: unknown): string {
  if (!isList(output)) return compact(output)
  return output.map(itemText).join('\n')
}

/** Texts of a rendered message, without the repeated copy of the user's own text. */
export function renderedText(list: unknown): string {
  if (!isList(list)) return ''
  const text = list.map((item) => textAt(item, 'text') ?? '').join('')
  return withoutElements(text, REQUEST).trim()
}

/** Elements that enclose the user's text in a rendered message. */
const REQUEST = ['userRequest', 'prompt', 'user_query']
