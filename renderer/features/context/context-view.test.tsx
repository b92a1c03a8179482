import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { ShownCall } from '../../../core/wire/context.ts'
import { ContextView } from './context-view.tsx'

const CALL: ShownCall = {
  nth: 1,
  seq: 9,
  model: 'claude-opus-4-1',
  tokens: 14_403,
  recorded: {
    id: 'm-2',
    input: 3,
    cacheRead: 14_000,
    cacheWrite: 400,
    output: 40,
    reasoning: null,
    window: null,
  },
  window: 200_000,
  cut: { reason: 'compacted', events: 12, before: 180_000 },
  parts: [
    { seq: 0, label: 'user messages', tokens: 3, added: false, source: null, cause: null },
    {
      seq: 7,
      label: 'rule docs.md',
      tokens: 400,
      added: true,
      source: {
        kind: 'rule',
        name: 'docs.md',
        path: '/pond/docs.md',
        globs: ['*.md'],
        cause: 'k2',
      },
      cause: { seq: 6, name: 'Read' },
    },
  ],
  left: { parts: 2, tokens: 1000 },
  rest: 13_000,
}

const said = (isRecorded: boolean, call: ShownCall | null) => {
  const answer = { calls: 4, isRecorded, tokenizer: 'o200k_base', call }
  const markup = renderToStaticMarkup(
    <ContextView answer={answer} turnOf={(seq) => (seq < 5 ? null : 2)} />,
  )
  return markup.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ')
}

it('[X12] shows recorded figures, the cut, and the parts by size with their sources', () => {
  const words = said(true, CALL)
  expect(words).toContain('Call 2 of 4')
  expect(words).toContain('14,403 tokens')
  expect(words).toContain('7.2 % of 200,000')
  expect(words).toContain('12 events left the context, 180,000 tokens before, 14,403 after')
  expect(words).toMatch(
    /13,000 system prompt and tools \(not in the file\) .*1,000 2 smaller parts .*400 rule docs\.md \/pond\/docs\.md for \*\.md after Read 2 new .*3 user messages/u,
  )
})

it('[X12] shows estimates as such if the file records no usage', () => {
  const words = said(false, { ...CALL, recorded: null, rest: 0 })
  expect(words).toContain('14,403 tokens')
  expect(words).toContain('The file records no usage, so all figures are estimates by o200k_base.')
  expect(said(true, null)).toContain('No model call')
})
