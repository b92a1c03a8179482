import { describe, expect, it } from 'vitest'
import { isNotice } from './notices.ts'
import { scoredText } from './belief/text.ts'
import { turnsOf } from './turns.ts'
import { plainEvent } from '../../fixtures/events.ts'

describe('[B27] notices of clients', () => {
  it.each([
    '',
    ' \n',
    '(no output)',
    '(No content)',
    'Error: (none)',
    'Waiting…',
    'Found 42 files',
    'Found 1 match (ctrl+r to expand)\n… +3 lines (ctrl+o to expand)',
    'Stdout: (empty)\nStderr: (empty)\nError: (none)\nExit Code: 0\nSignal: (none)',
    'No files found',
    'Your command ran successfully and did not produce any output.',
  ])('%j says nothing', (text) => expect(isNotice(text)).toBe(true))

  it.each([
    'Error: (none) of the files opens',
    'Found 3 errors',
    'Found 2 files\nsrc/a.ts\nsrc/b.ts',
    'I am waiting…',
    'Exit Code: 1',
  ])('%j is a result', (text) => expect(isNotice(text)).toBe(false))

  const events = ['user', 'tool_result', 'tool_result', 'user'].map((kind, seq) =>
    plainEvent({
      seq,
      kind: kind as 'user',
      ...(seq === 1 ? { notice: true } : {}),
      text: ['go on', 'Found 42 files', 'Error: no such file', 'Waiting…'][seq] ?? '',
    }),
  )
  const seqsOf = (notices?: boolean) =>
    turnsOf(events, {
      user: true,
      agent: false,
      tool: true,
      ...(notices === undefined ? {} : { notices }),
    }).map(({ seq }) => seq)

  it('are no turns if the preset says so; a message of the user always is one', () => {
    expect(seqsOf(false)).toEqual([0, 2, 3])
    expect(seqsOf(true)).toEqual([0, 1, 2, 3])
    expect(seqsOf()).toEqual([0, 1, 2, 3])
  })

  it('are not scored within a result', () => {
    const stripQuoted = { quotation: false, fence: false, log: false, notice: true }
    const options = { maxChars: null, stripThinking: false, stripQuoted }
    const { text, quoted } = scoredText('Command: ls\nError: (none)\nExit Code: 0\na.ts', options)
    expect(text).toBe('Command: ls\n\n\na.ts')
    expect(quoted.map(({ why }) => why)).toEqual(['notice', 'notice'])
  })
})
