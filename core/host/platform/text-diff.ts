import { diffLines, diffWordsWithSpace } from 'diff'
import type { DiffPart } from '../../engine/schema/answer-columns.ts'

/** Prompts differ by a few segments; what needs more work than this is said to differ as a whole. */
const LINES = { timeout: 300, maxEditLength: 4000 } as const
const WORDS = { timeout: 50, maxEditLength: 400 } as const

/** Of two changed passages this share of characters must be equal for a comparison word by word. */
const ALIKE = 0.4

type Op = DiffPart['op']

/**
 * Computes the differences that turn one text into another: lines, and words inside changed lines. `same` and `removed`
 * parts together are `before`, `same` and `added` parts are `after`. Bounded in time.
 */
export function diffTexts(before: string, after: string): readonly DiffPart[] {
  const draft = createDraft()
  let removed = ''
  for (const { op, text } of parts(diffLines(before, after, LINES), before, after)) {
    if (op === 'removed') removed += text
    else if (op === 'added') {
      draft.add(words(removed, text))
      removed = ''
    } else {
      draft.add([
        { op: 'removed', text: removed },
        { op, text },
      ])
      removed = ''
    }
  }
  draft.add([{ op: 'removed', text: removed }])
  return draft.parts
}

function words(before: string, after: string): readonly DiffPart[] {
  const found = parts(diffWordsWithSpace(before, after, WORDS), before, after)
  const same = found.reduce((sum, { op, text }) => sum + (op === 'same' ? text.length : 0), 0)
  return same >= ALIKE * Math.max(before.length, after.length) ? found : whole(before, after)
}

interface Change {
  readonly value: string
  readonly added: boolean
  readonly removed: boolean
}

/** @param changes undefined when the comparison was given up */
function parts(
  changes: readonly Change[] | undefined,
  before: string,
  after: string,
): readonly DiffPart[] {
  return (
    changes?.map((change) => ({ op: opOf(change), text: change.value })) ?? whole(before, after)
  )
}

function opOf({ added, removed }: Change): Op {
  if (added) return 'added'
  return removed ? 'removed' : 'same'
}

function whole(before: string, after: string): readonly DiffPart[] {
  return [
    { op: 'removed', text: before },
    { op: 'added', text: after },
  ]
}

/** Parts in order; empty ones are left out, neighbours of one kind are joined. */
function createDraft(): {
  readonly parts: readonly DiffPart[]
  add(more: readonly DiffPart[]): void
} {
  const draft: Array<{ op: Op; text: string }> = []
  return {
    parts: draft,
    add: (more) => {
      for (const { op, text } of more) {
        const last = draft.at(-1)
        if (text === '') continue
        if (last?.op === op) last.text += text
        else draft.push({ op, text })
      }
    },
  }
}
