import { expect, test } from 'vitest'
import { brokenPattern, compileSignal } from './signal.ts'

const problem = (pattern: string, dialect: 'js' | 'python', flags?: string) => {
  const entry = { pattern, dialect, ...(flags === undefined ? {} : { flags }) }
  const compiled = compileSignal(entry, 'here', { asciiBoundaries: false })
  return compiled.ok ? null : compiled.error.what
}
const nested = (open: string, close: string, depth: number) =>
  open.repeat(depth) + 'a' + close.repeat(depth)

test.each(['js', 'python'] as const)(
  '[F217] groups of %s that are nested too deep are an error of the pattern, not the end of the process',
  (dialect) => {
    for (const open of ['(', '(?:', '(a|', '(?=(?!', '(?<=('])
      expect(
        problem(
          nested(open, open.includes('((') || open === '(?=(?!' ? '))' : ')', 20_000),
          dialect,
        ),
        open,
      ).toMatch(/nested/u)
    expect(problem(nested('[[](', ')', 5000), dialect)).toMatch(/nested/u)
    expect(problem(nested('(', ')', 150), dialect)).toBeNull()
    expect(problem('[(]'.repeat(1000), dialect)).toBeNull()
    expect(problem(String.raw`\(`.repeat(1000), dialect)).toBeNull()
  },
)

test('[F217] sets within sets are bounded, too', () => {
  expect(problem(nested('[', ']', 20_000), 'js', 'v')).toMatch(/nested/u)
  expect(brokenPattern('('.repeat(100_000))?.what).toMatch(/nested/u)
})

test.each([
  String.raw`a\x`,
  String.raw`a\u`,
  String.raw`a\U00110000`,
  String.raw`[\x`,
  String.raw`\u12`,
  String.raw`[a-\UFFFFFFFF]`,
])('[F218] %s is an error of the pattern', (pattern) => {
  expect(problem(pattern, 'python')).toMatch(/incomplete escape|is no character/u)
})
