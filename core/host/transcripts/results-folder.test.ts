import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'
import { textOf } from '../../engine/schema/event.ts'
import { openTranscript } from './transcript.ts'

const line = (value: object) => `${JSON.stringify(value)}\n`

it('[I83] [I86] a results folder of a pipeline opens as sessions of steps', async () => {
  const root = makeFolder({
    'notes.txt': 'nothing',
    'run_history.jsonl':
      line({ run_id: 'r1', step: 1, metrics: { precision: 0.6 } }) +
      line({ run_id: 'r1', step: 2, metrics: { best_accuracy: 0.57 } }),
    'watcher_failures.jsonl': line({
      id: 'wf-1',
      run_id: 'r1',
      step: 2,
      severity: 'error',
      message: 'Worker lost',
    }),
  })
  const opened = await openTranscript(root)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const [session] = opened.value.transcript.sessions
  expect(session?.events.map(({ kind, name }) => [kind, name])).toEqual([
    ['step', 'step 1'],
    ['step', 'step 2'],
    ['notification', 'incident'],
  ])
  opened.value.close()
})

it('[I83] [A13] steps as text or by the name of an agent, and incidents of failure_type and details', async () => {
  const root = makeFolder({
    'run_history.jsonl':
      line({ run_id: 'r1', step: '1', metrics: { precision: 0.6 } }) +
      line({ run_id: 'r1', agent: 'Scorer Meta Agent', metrics: { best_accuracy: 0.57 } }),
    'watcher_failures.jsonl': line({
      id: 'wf-1',
      run_id: 'r1',
      step: 2,
      failure_type: 'TIMEOUT',
      details: 'no answer',
    }),
  })
  const opened = await openTranscript(root)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const [session] = opened.value.transcript.sessions
  const texts = session?.events.map((event) => [event.name, textOf(event, session.texts)])
  expect(texts?.map(([name]) => name)).toEqual(['step 1', 'step 2', 'incident'])
  expect(texts?.at(-1)?.[1]).toBe('TIMEOUT: no answer')
  opened.value.close()
})

it('[I86] a folder without results is refused as a folder, with the way to open many files', async () => {
  const root = makeFolder({ 'deep/a.txt': 'x' })
  const { code, err } = await runHere(['replay', join(root, 'deep')])
  expect(code).toBe(2)
  expect(err).toMatch(/folder/u)
})
