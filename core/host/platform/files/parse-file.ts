import { isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { type Result, err, messageOf, ok } from '../../../engine/result.ts'
import { fieldWords } from '../../../engine/schema/issue-words.ts'
import { jsonAs } from '../json.ts'

/**
 * Parses a YAML or JSON file of the workspace through its schema. A failure names the file, line and column of the
 * first error, and the number of further errors.
 * @param where the file's displayed name, for example `profiles/domains/default.yaml`
 */
export function parseDataFile<S extends z.ZodType>(
  schema: S,
  text: string,
  where: string,
): Result<z.output<S>> {
  const json = where.endsWith('.json') ? jsonAs(schema, text) : null
  if (json !== null) return ok(json)
  const lines = new LineCounter()
  // JSON is YAML too, and this parser knows the place of every node, which JSON.parse does not.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [broken] = document.errors
  if (broken) {
    return err({
      what: firstSentence(broken.message),
      where: place(where, lines, broken.pos[0]),
      do: 'Correct the file and try again',
    })
  }
  let value: unknown
  try {
    value = document.toJS()
  } catch (error) {
    return err({ what: messageOf(error), where, do: 'Correct the file and try again' })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return ok(parsed.data)
  const [issue] = parsed.error.issues
  const path = issue?.path ?? []
  const more = parsed.error.issues.length - 1
  return err({
    what: `${fieldWords(issue, 'the file')}${more > 0 ? ` (and ${more} more)` : ''}`,
    where: place(where, lines, offsetOf(document, path)),
    do: 'Correct the file and try again',
  })
}

function firstSentence(message: string): string {
  return message.split('\n', 1)[0] ?? message
}

function place(where: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset)
  return line === 0 ? where : `${where}:${line}:${col}`
}

/** Offset of the node at `path`, or of the nearest ancestor that exists (a missing key has no place). */
function offsetOf(
  document: ReturnType<typeof parseDocument>,
  path: readonly PropertyKey[],
): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}
