import { describe, expect, it } from 'vitest'
import { plainEvents } from '../../schema/event.ts'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'

type Row = readonly [kind: string, name: string | null, text: string]

/** Sessions by thread, each as kinds, names and texts. */
async function sessionsOf(text: string): Promise<Readonly<Record<string, readonly Row[]>>> {
  const result = await readTranscript(Buffer.from(text))
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return Object.fromEntries(
    result.value.sessions.map((session) => [
      session.thread,
      plainEvents(session).map((event): Row => [event.kind, event.name, event.text]),
    ]),
  )
}

/** Blocks of a speaker and a text each. */
function blocks(...rows: ReadonlyArray<readonly [speaker: string, text: string]>): string {
  return rows.map(([speaker, text]) => `_**${speaker}**_\n\n${text}\n`).join('\n')
}

const T = '2026-05-02 08:00:0'

describe('sub-agents of SpecStory', () => {
  it('[I111] other blocks between those of a sub-agent do not end it', async () => {
    const text = blocks(
      [`Agent - sidechain (${T}1Z)`, 'Count the tiles.'],
      [`Agent (opus ${T}1Z)`, 'I wait.'],
      [`Agent - sidechain (haiku ${T}2Z)`, '200 tiles.'],
      [`Agent (opus ${T}3Z)`, 'Still waiting.'],
      [`Agent - sidechain (haiku ${T}4Z)`, '12 are broken.'],
      [`Agent - sidechain (${T}5Z)`, '[Request interrupted by user]'],
    )
    expect(await sessionsOf(text)).toEqual({
      main: [
        ['agent', null, 'I wait.'],
        ['agent', null, 'Still waiting.'],
      ],
      'sidechain-1': [
        ['subagent_prompt', null, 'Count the tiles.'],
        ['agent', null, '200 tiles.'],
        ['agent', null, '12 are broken.'],
        ['interruption', 'interruption', '[Request interrupted by user]'],
      ],
    })
  })

  it('[I111] sub-agents of different models are told apart; a new one has the next answer', async () => {
    const text = blocks(
      ['Agent - sidechain', 'First job.'],
      ['Agent - sidechain (haiku)', 'a'],
      ['Agent - sidechain', 'Second job.'],
      ['Agent - sidechain (sonnet)', 'b'],
      ['Agent - sidechain (haiku)', 'c'],
      ['Agent - sidechain', 'Third job.'],
      ['Agent - sidechain (haiku)', 'd'],
    )
    const texts = Object.values(await sessionsOf(text)).map((rows) => rows.map((row) => row[2]))
    expect(texts.filter((list) => list.length > 0)).toEqual([
      ['First job.', 'a', 'c'],
      ['Second job.', 'b'],
      ['Third job.', 'd'],
    ])
  })
})

describe("texts under the user's name", () => {
  const command: readonly [string, string] = [
    `User (${T}1Z)`,
    '<command-name>/review</command-name>',
  ]

  it('[I111] what a slash command stands for comes in the same second', async () => {
    const { main } = await sessionsOf(blocks(command, [`User (${T}1Z)`, 'You are a reviewer.']))
    expect(main?.at(-1)).toEqual(['injected', 'slash-command', 'You are a reviewer.'])
  })

  it('[I111] a later text, or one behind an answer, is typed', async () => {
    const later = await sessionsOf(blocks(command, [`User (${T}2Z)`, 'Now the door.']))
    const behind = await sessionsOf(
      blocks(command, [`Agent (opus ${T}1Z)`, 'Yes?'], [`User (${T}1Z)`, 'Now the door.']),
    )
    for (const { main } of [later, behind])
      expect(main?.at(-1)).toEqual(['user', null, 'Now the door.'])
  })

  it('[I111] notes about pictures are not typed, mentions of them are', async () => {
    const { main } = await sessionsOf(
      blocks(
        ['User', '[Image: source: /a.png]\n\nThis beam?'],
        ['User', 'What does [Image: source: /a.png] mean?'],
      ),
    )
    expect(main).toEqual([
      ['injected', 'image-source', '[Image: source: /a.png]'],
      ['user', null, 'This beam?'],
      ['user', null, 'What does [Image: source: /a.png] mean?'],
    ])
  })
})
