import { expect, it } from 'vitest'
import { readReal, realFiles } from '../../../fixtures/real-files.ts'
import { partsOf, groupsByCall } from '../../engine/context/parts.ts'
import { contextTokens } from '../../engine/schema/context.ts'
import { readContext } from './read-context.ts'

const FORMATS = [
  ...(['claude-code', 'codex', 'gemini-cli', 'pi', 'otel-spans', 'langfuse'] as const),
  ...(['atif', 'cline', 'inspect', 'langsmith', 'mini-swe-agent', 'openhands'] as const),
]
const KNOWN_FILES = 153
const found = realFiles(FORMATS, KNOWN_FILES)

/** Calls of a session that are looked at part by part. */
const MOST = 20

it.each(found)('[X7] the parts of every call of $file add up to what it records', async (entry) => {
  const transcript = await readReal(entry)
  for (const session of transcript.sessions) {
    const { context } = await readContext(session, transcript)
    const seen = new Set<string>()
    for (const { call, groups } of groupsByCall(context)) {
      if (call.recorded === null) continue
      const sum = groups.reduce((before, { tokens }) => before + tokens, 0)
      expect(sum).toBe(contextTokens(call.recorded))
      const { id } = call.recorded
      expect(id !== null && seen.has(id)).toBe(false)
      if (id !== null) seen.add(id)
    }
    for (const call of context.calls.slice(-MOST)) {
      const { parts, rest, tokens } = partsOf(context, call)
      expect(parts.reduce((before, part) => before + part.tokens, rest)).toBe(tokens)
      expect(rest).toBeGreaterThanOrEqual(0)
    }
  }
})
