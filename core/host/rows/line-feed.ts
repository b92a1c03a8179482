import { StringDecoder } from 'node:string_decoder'

/** A line of a stream, or the number of a line that was longer than the limit and was passed over. */
export interface FedLine {
  /** 1-based. */
  readonly line: number
  /** Null: too long. */
  readonly text: string | null
}

/** Cuts a stream into lines, many at a time: a promise for each of millions would cost more than most of them. */
interface LineFeed {
  readonly push: (chunk: Uint8Array) => readonly FedLine[]
  /** Bytes after the last line feed. */
  readonly end: () => readonly FedLine[]
}

/** UTF-16 units: more than any message, and little enough to be held twice. */
const LONGEST = 64 * 1024 * 1024

/** [F111] Lines end at `\n` only. A line of more than 64 Mi units is passed over and costs one row, not the memory. */
export function createLineFeed(longest = LONGEST): LineFeed {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let isTooLong = false
  let number = 0

  function finished(text: string): FedLine {
    number += 1
    const line = { line: number, text: isTooLong ? null : text }
    isTooLong = false
    return line
  }

  function add(text: string): readonly FedLine[] {
    const pieces = text.split('\n')
    const last = pieces.pop() ?? ''
    const lines = pieces.map((piece, at) => finished(at === 0 ? rest + piece : piece))
    rest = lines.length === 0 ? rest + last : last
    if (rest.length > longest) {
      isTooLong = true
      rest = ''
    }
    return lines
  }

  return {
    push: (chunk) => add(decoder.write(chunk)),
    end: () => {
      const lines = add(decoder.end())
      return rest === '' && !isTooLong ? lines : [...lines, finished(rest)]
    },
  }
}
