import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../../fixtures/host.ts'
import { EVALS } from '../../../../fixtures/evals-archive.ts'
import { makeZip } from '../../../../fixtures/zip.ts'
import { plainEvents } from '../../../engine/schema/event.ts'
import { readRaw } from './rows.ts'
import { openTranscript } from '../../transcripts/transcript.ts'

test('[I2] a record in an archive is as many bytes as its member has, whatever its characters are', async () => {
  const members = (EVALS['pooled.eval'] ?? []).map((member) => {
    const data = String(member.data).replaceAll('How deep is the pond?', 'Wie tief, in ½ m? 🐸')
    return { ...member, data }
  })
  const path = join(makeFolder(), 'log.eval')
  writeFileSync(path, makeZip(members))
  const opened = await openTranscript(path)
  if (!opened.ok) throw new Error(opened.error.what)
  const { sessions } = opened.value.transcript
  const asked = sessions.flatMap(plainEvents).find(({ text }) => text.includes('🐸'))
  const raw = asked === undefined ? null : await readRaw(opened.value, asked.source)
  if (asked === undefined || raw?.ok !== true) throw new Error('nothing to read')
  expect(members.map(({ data }) => data)).toContain(raw.value.text)
  expect(asked.source.length).toBe(Buffer.byteLength(raw.value.text))
  const byte = raw.value.text.slice(0, raw.value.text.indexOf('🐸'))
  const place = { offset: Buffer.byteLength(byte), length: 4, file: asked.source.file }
  expect(await readRaw(opened.value, place)).toMatchObject({ value: { text: '🐸' } })
  opened.value.close()
})
