import { expect, test } from 'vitest'
import { compileFixture, loadPreset, must } from '../../../fixtures/load.ts'
import { unguarded } from '../matcher/scan.ts'
import { createPipeline, initialBeliefState, type Pipeline } from '../pipeline.ts'
import { traceTurn } from '../trace.ts'
import { maskText } from './mask.ts'
import { headLook, recordLook, recordedFor } from './scans.ts'
import { TEXTLESS, textlessHead, textlessTurn, type TextlessTurn } from './schema.ts'

const CODING = { name: 'coding', signals: ['code', { id: 'py', pattern: 'python' }] }
const DATA = { name: 'data', signals: ['table', 'code'] }

function pipelineOf(
  domains: Parameters<typeof compileFixture>[0],
  preset: 'literal' | 'recommended' = 'recommended',
): Pipeline {
  return must(createPipeline(compileFixture(domains), loadPreset(preset), null))
}

const pipeline = pipelineOf([CODING, DATA])
const TEXT = 'python code over a table, and code\nagain'
const headOf = (...of: readonly Pipeline[]) => ({ version: 1 as const, looks: of.map(headLook) })
const turnOf = (text: string, ...of: readonly Pipeline[]): TextlessTurn => ({
  looks: of.map((each) => recordLook(each, text, unguarded)),
  marks: [],
})

/** The trace of a turn without its text. */
function traced(of: Pipeline, text: string, known?: Parameters<typeof traceTurn>[1]['known']) {
  const turn = { turn: 0, seq: 0, kind: 'user', state: initialBeliefState, text, known } as const
  return { ...traceTurn(of, turn), text: '' }
}

test('[U121] what was recorded answers as the text would have, in places too', () => {
  const recorded = must(recordedFor(headOf(pipeline), pipeline))
  const mask = maskText(TEXT)
  const known = recorded(turnOf(TEXT, pipeline), mask)
  expect(traced(pipeline, mask, known)).toEqual(traced(pipeline, TEXT))
})

test('[U121] with domains in another order, or fewer of them, the same look answers', () => {
  const head = headOf(pipeline)
  const turn = turnOf(TEXT, pipeline)
  for (const other of [pipelineOf([DATA, CODING]), pipelineOf([DATA])]) {
    const known = must(recordedFor(head, other))(turn, maskText(TEXT))
    expect(traced(other, maskText(TEXT), known)).toEqual(traced(other, TEXT))
  }
})

test('[U121] of two looks the one is taken that was made with these signals', () => {
  const other = pipelineOf([{ name: 'coding', signals: ['again'] }])
  const head = headOf(pipeline, other)
  const known = must(recordedFor(head, other))(turnOf(TEXT, pipeline, other), maskText(TEXT))
  expect(traced(other, maskText(TEXT), known)).toEqual(traced(other, TEXT))
})

test('[U121] a signal that was not looked for, or a text that was cut otherwise, is refused in words', () => {
  const unknown = pipelineOf([CODING, { name: 'data', signals: ['sql'] }])
  const literal = pipelineOf([CODING, DATA], 'literal')
  for (const other of [unknown, literal]) {
    const answer = recordedFor(headOf(pipeline), other)
    expect(answer.ok ? null : answer.error.what).toContain(other.preset.name)
    expect(answer.ok ? null : answer.error.do).toContain('ask for a file with its texts')
  }
  expect(recordedFor({ version: 1, looks: [] }, pipeline).ok).toBe(false)
})

test('[U121] a turn of which nothing was recorded matches nothing, and is no fault', () => {
  const recorded = must(recordedFor(headOf(pipeline), pipeline))
  for (const turn of [{ looks: [], marks: [] }, textlessTurn({})]) {
    const { scan, spans } = recorded(turn, maskText(TEXT))
    expect([scan.fired, scan.cutOff, spans]).toEqual([[], [], []])
  }
})

test('[U121] places that no signal has are passed over', () => {
  const recorded = must(recordedFor(headOf(pipeline), pipeline))
  const turn: TextlessTurn = { looks: [{ fired: [[999, 1, []]] }], marks: [] }
  expect(recorded(turn, '••').scan.fired).toEqual([])
})

test('[U120] nothing of a text is left in what is recorded of it, even where it was cut', () => {
  const text = `${'secret python '.repeat(4_000)}<thinking>secret</thinking> code`
  const look = recordLook(pipeline, text, unguarded)
  expect(JSON.stringify(look)).not.toMatch(/secret|python|code/u)
  expect(look.scored?.text).toMatch(/^[•\n]+$/u)
})

test.each([
  ['', ''],
  [' \t\n', ' \t\n'],
  ['a b\nc', '•••\n•'],
  ['😀!', '•••'],
  ['\ud800x', '••'],
])('[U120] %j is masked unit for unit', (text, mask) => {
  expect(maskText(text)).toBe(mask)
  expect(maskText(text)).toHaveLength(text.length)
})

test.each([undefined, null, 7, 'yes', [], { version: 2, looks: [] }, { version: 1 }])(
  '[U120] %j in a head or event that somebody wrote counts as none',
  (value) => {
    expect(textlessHead({ extras: { [TEXTLESS]: value } })).toBeNull()
    expect(textlessTurn({ extras: { [TEXTLESS]: value } })).toEqual({ looks: [], marks: [] })
  },
)

test('[U120] a head and a turn that were written are read again', () => {
  const head = headOf(pipeline)
  const turn = turnOf(TEXT, pipeline)
  const written = (value: unknown) => ({
    extras: { [TEXTLESS]: JSON.parse(JSON.stringify(value)) as unknown },
  })
  expect(textlessHead(written(head))).toEqual(head)
  expect(textlessTurn(written(turn))).toEqual(turn)
  expect(textlessHead({})).toBeNull()
})
