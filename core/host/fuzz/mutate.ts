import { mutateValue, swapIds } from './mutate-values.ts'
import type { Mutation } from './mutation.ts'
import type { Random } from './random.ts'

const SMALL = [
  '\n',
  '\r',
  '\0',
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\',
  '}{',
  ']}',
  '\ufeff',
  '//',
  '1e999',
  '"__proto__":',
  '{"a":',
  '\\ud83d',
  '<',
  '`',
  '```',
  '#',
  '---',
  '> ',
  '\u2028',
  ' ',
  '\t',
  'null',
]

/** Changes that know nothing of lines or values. */
const BYTES: readonly Mutation[] = [
  (bytes, random) => insert(bytes, random, Buffer.from(random.pick(SMALL))),
  (bytes, random) => {
    const junk = Buffer.from(Array.from({ length: 1 + random.below(12) }, () => random.below(256)))
    return insert(bytes, random, junk)
  },
  (bytes, random) => {
    const at = random.below(bytes.length)
    return cut(bytes, at, at + 1 + random.below(400))
  },
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    if (copy.length > 0) copy[random.below(copy.length)] = random.below(256)
    return copy
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => Buffer.concat([bytes, bytes.subarray(random.below(bytes.length + 1))]),
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    const at = random.below(copy.length)
    return copy.fill(0, at, Math.min(copy.length, at + 1 + random.below(200)))
  },
  (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le'),
  (bytes) => Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n')),
]

/** Changes of whole lines. */
const LINES: readonly Mutation[] = [
  onLines((lines, random) => lines.toSpliced(random.below(lines.length), 1)),
  onLines((lines, random) => {
    const at = random.below(lines.length)
    return lines.toSpliced(at, 0, lines[random.below(lines.length)] ?? '')
  }),
  onLines((lines, random) => {
    const [a, b] = [random.below(lines.length), random.below(lines.length)]
    return lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '')
  }),
  onLines((lines, random) => {
    const at = random.below(lines.length)
    const line = lines[at] ?? ''
    return lines.with(at, line.slice(0, random.below(line.length + 1)))
  }),
  onLines((lines, random) => {
    const at = random.below(lines.length)
    return lines.toSpliced(at, 2, (lines[at] ?? '') + (lines[at + 1] ?? ''))
  }),
  onLines((lines, random) =>
    lines.toSpliced(random.below(lines.length), 0, '\0'.repeat(1 + random.below(300))),
  ),
  onLines((lines, random) =>
    lines.toSpliced(random.below(lines.length), 0, random.pick(JUNK_LINES)),
  ),
  onLines((lines, random) => lines.toReversed().slice(random.below(3))),
]

/** Lines that are no record of any format, and no marker of a format of text. */
export const JUNK_LINES = [
  'garbage',
  '42',
  'null',
  '"text"',
  '{"type":"user","mess',
  '{"a":',
  '\\',
  '\0\0\0\0',
  '{',
  '}',
  '[1, 2',
  '// a note',
  '\ufffd\ufffd',
  'true',
  '1e999',
  '{"a":1}}',
  '{"role" "user"}',
] as const

const VALUES: readonly Mutation[] = [mutateValue, mutateValue, mutateValue, swapIds, swapIds]

/** One to four changes; an archive is packed, so only its bytes are changed. */
export function mutate(bytes: Buffer, random: Random, packed: boolean): Buffer {
  const groups = packed ? [BYTES] : [BYTES, LINES, VALUES]
  let changed = bytes
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    changed = random.pick(random.pick(groups))(changed, random)
  }
  return changed
}

function insert(bytes: Buffer, random: Random, junk: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)])
}

function cut(bytes: Buffer, from: number, to: number): Buffer {
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
}

/** Works on Latin-1, so that bytes that are no UTF-8 stay what they are. */
function onLines(
  change: (lines: readonly string[], random: Random) => readonly string[],
): Mutation {
  return (bytes, random) => {
    const lines = bytes.toString('latin1').split('\n')
    const changed = change(lines, random).map((line) =>
      Buffer.from(line, isWide(line) ? 'utf8' : 'latin1'),
    )
    const parts = changed.flatMap((line, at) => (at === 0 ? [line] : [Buffer.from('\n'), line]))
    return Buffer.concat(parts)
  }
}

function isWide(line: string): boolean {
  // eslint-disable-next-line no-control-regex -- Latin-1 is exactly this range
  return !/^[\u0000-\u00ff]*$/.test(line)
}
