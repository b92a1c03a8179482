import { expect, test } from 'vitest'
import { promptPreset } from '../../../fixtures/prompt-vectors.ts'
import { ok } from '../result.ts'
import type { PromptSegment } from '../schema/prompt.ts'
import { composePrompt, SEPARATOR } from './compose.ts'

const options = promptPreset('recommended').prompt

function segment(id: string, priority: number, conditions: PromptSegment['conditions'] = []) {
  return {
    id,
    file_path: `oracle/${id}.md`,
    priority,
    conditions,
    required: false,
    token_estimate: 1,
  }
}

test('[P0] segments of the type, then those asked for, then those added, by priority, joined by a rule', () => {
  const registry = [
    segment('late', 30),
    segment('extra', 20, ['research']),
    segment('code-only', 20, ['code']),
    segment('never', 10, ['research']),
    segment('first', 10),
  ]
  const answer = composePrompt({
    registry,
    files: (path) => ok(`text of ${path}`),
    options,
    queryType: 'code',
    extraSegments: ['extra'],
    added: [
      { id: 'beside', text: 'text of beside', priority: 20 },
      { id: 'before', text: 'text of before', priority: 5 },
    ],
  })
  if (!answer.ok) throw new Error(answer.error.what)
  expect(answer.value.content.split(SEPARATOR)).toEqual([
    'text of before',
    'text of oracle/first.md',
    'text of oracle/code-only.md',
    'text of oracle/extra.md',
    'text of beside',
    'text of oracle/late.md',
  ])
})
