import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTranscript } from '../../../../fixtures/read-transcript.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import type { ImportedTranscript } from '../../../engine/import/source.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures/import')

async function read(input: string | Uint8Array): Promise<ImportedTranscript> {
  const result = await readTranscript(input)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** Kind and text of all events of all sessions. */
function said({ sessions }: ImportedTranscript): readonly string[] {
  return sessions.flatMap(plainEvents).map((event) => `${event.kind} ${event.text}`)
}

describe('an Aider history that begins in the middle', () => {
  it('[I104] what stands before the first header is a session of that name', async () => {
    const { format, sessions } = await read(join(FIXTURES, 'aider/begins-in-the-middle.md'))
    expect(format).toBe('aider')
    expect(sessions.map(({ id, title }) => [id, title])).toEqual([
      ['aider-start', 'before the first header'],
      ['aider-2025-05-06-07-08-09', 'Close the fence, but keep the list.'],
      ['aider-2025-05-06-09-00-00', '/exit'],
    ])
    expect(sessions[0]?.events.map(({ kind }) => kind)).toEqual([
      'agent',
      'meta',
      'tool_result',
      'tool_result',
      'command',
      'meta',
    ])
    expect(sessions[1]?.events.map(({ kind }) => kind)).toContain('user')
  })

  it('[I104] also where the first header stands behind the first 64 KiB', async () => {
    const answer = 'A line of a long answer, which was begun in a part that is lost.\n'.repeat(2000)
    const log = '\n# aider chat started at 2025-05-06 07:08:09\n\n> Aider v1  \n\n#### do it  \n'
    const transcript = await read(Buffer.from(answer + log))
    expect(transcript.format).toBe('aider')
    expect(transcript.sessions).toHaveLength(2)
    expect(said(transcript)).toContain('user do it')
  })

  it('[I104] Markdown that quotes a history in a code block is refused', async () => {
    const log = '# aider chat started at 2025-05-06 07:08:09\n\n> Aider v1  \n\n#### do it  \n'
    const text = `# How it is kept\n\n\`\`\`\n${log}\`\`\`\n\n#### What it means\n\nText.\n`
    expect((await readTranscript(Buffer.from(text))).ok).toBe(false)
  })
})
