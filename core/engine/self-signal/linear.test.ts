import { describe, expect, test } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { readResponse } from './response.ts'

const OPEN = '<signal type="need_turn">'
const CLOSE = '</signal>'

/** Inputs that make a backtracking parser slow (S14), and some that a careless scanner would dislike. */
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  'plain text': (size) => 'word '.repeat(size / 5),
  'an opener followed by blanks': (size) => OPEN + ' '.repeat(size),
  'an opener, blanks and a field': (size) => `${OPEN}${' '.repeat(size)}<reason>`,
  'openers without a close': (size) => OPEN.repeat(size / OPEN.length),
  'openers without a type': (size) => '<signal>'.repeat(size / 8),
  'openers cut off': (size) => '<signal '.repeat(size / 8),
  'openers with an open quote': (size) => '<signal type="'.repeat(size / 14),
  'one opener with many attributes': (size) => `<signal ${'a="1" '.repeat(size / 6)}>`,
  'one opener with a long name': (size) => `<signal ${'a'.repeat(size)}`,
  'one opener with names and blanks': (size) => `<signal ${'a '.repeat(size / 2)}>${CLOSE}`,
  'quotes that alternate': (size) => `<signal ${`"'`.repeat(size / 2)}>`,
  'closers only': (size) => CLOSE.repeat(size / CLOSE.length),
  'angle brackets': (size) => '<'.repeat(size),
  'blocks side by side': (size) => `${OPEN}${CLOSE}`.repeat(size / 34),
  'blocks of unknown type': (size) => `<signal type="x">${CLOSE}`.repeat(size / 26),
  'fields that nobody closes': (size) => `${OPEN}${'<reason>'.repeat(size / 8)}${CLOSE}`,
  'distinct fields that nobody closes': (size) =>
    `${OPEN}${Array.from({ length: size / 8 }, (_, index) => `<f${index}>`).join('')}${CLOSE}`,
  'closers of distinct fields': (size) =>
    `${OPEN}${Array.from({ length: size / 8 }, (_, index) => `</f${index}>`).join('')}${CLOSE}`,
  'fields nested in fields': (size) =>
    `${OPEN}${'<a>'.repeat(size / 7)}${'</a>'.repeat(size / 7)}${CLOSE}`,
  'one field many times': (size) => `${OPEN}${'<a>1</a>'.repeat(size / 8)}${CLOSE}`,
  'a long list': (size) => `${OPEN}<attempted>[${'"a",'.repeat(size / 4)}"b"]</attempted>${CLOSE}`,
  'deep brackets': (size) => `${OPEN}<x>${'['.repeat(size / 2)}${']'.repeat(size / 2)}</x>${CLOSE}`,
  'a long number': (size) => `${OPEN}<x>${'9'.repeat(size)}</x>${CLOSE}`,
  'confidence everywhere': (size) => `${OPEN}${'confidence="x" '.repeat(size / 15)}${CLOSE}`,
  newlines: (size) => `${'\n'.repeat(size)}${OPEN}${CLOSE}`,
  'fence marks': (size) => `${'```\n'.repeat(size / 4)}${OPEN}${CLOSE}`,
  'backticks in lines': (size) => `${'a```'.repeat(size / 4)}${OPEN}${CLOSE}`,
  'blocks in one fence': (size) => `\`\`\`\n${`${OPEN}${CLOSE}\n`.repeat(size / 35)}\`\`\``,
  'blocks in a fence each': (size) => `\`\`\`\n${OPEN}${CLOSE}\n\`\`\`\n`.repeat(size / 43),
  'letters of other scripts': (size) => `${OPEN}<${'日'.repeat(size)}>${CLOSE}`,
}

/** More than any shape needs; a quadratic scan of 64,000 characters would take 64,000. */
const STEPS_PER_CHARACTER = 24
const SIZE = 64_000

describe.each(['literal', 'recommended', 'field'] as const)('[S14] %s is linear', (preset) => {
  const options = promptPreset(preset).selfSignal
  test.each(Object.entries(SHAPES))('%s: steps grow with the text, not faster', (_name, shape) => {
    const steps = [SIZE / 4, SIZE].map((size) => {
      const text = shape(size)
      const meter = { steps: 0 }
      readResponse(text, options, { meter })
      return meter.steps / Math.max(1, text.length)
    })
    expect(steps[1]).toBeLessThan(STEPS_PER_CHARACTER)
    expect(steps[1]).toBeLessThan((steps[0] ?? 0) * 1.5 + 1)
  })
})
