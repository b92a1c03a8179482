import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { native } from '../../engine/import/native/importer.ts'
import type { Importer } from '../../engine/import/source.ts'
import { makeFolder } from '../../../fixtures/host.ts'
import { companionsOf } from './companions.ts'

test('[I56] a format is asked about files of the folder and one level below; only real ones are read', async () => {
  const folder = makeFolder({
    'main.jsonl': '',
    'agent-2.jsonl': '',
    'agent-1.jsonl': '',
    'sub/agent-3.jsonl': '',
    'sub/deeper/agent-4.jsonl': '',
  })
  symlinkSync(join(folder, 'agent-1.jsonl'), join(folder, 'agent-link.jsonl'))
  const offered: string[] = []
  const importer: Importer = {
    ...native,
    companions: (name, neighbours) => {
      expect(name).toBe('main.jsonl')
      offered.push(...neighbours)
      return [...neighbours, ...neighbours, '../outside.jsonl', 'main.jsonl', 'absent.jsonl']
    },
  }
  const found = await companionsOf(join(folder, 'main.jsonl'), importer)
  expect(offered).toEqual(['agent-1.jsonl', 'agent-2.jsonl', 'sub/agent-3.jsonl'])
  expect(found).toEqual(offered)
  expect(await companionsOf(join(folder, 'main.jsonl'), native)).toEqual([])
})
