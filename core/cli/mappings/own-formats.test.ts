import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../fixtures/host.ts'
import { runHere } from '../../../fixtures/run-here.ts'

const FIXTURES = fileURLToPath(new URL('../../../fixtures/own-format/', import.meta.url))
const SHOP = join(FIXTURES, 'shop-bot.jsonl')
const SHOP_MAP = join(FIXTURES, 'shop-bot.yaml')

const kindsOf = (out: string): readonly string[] =>
  out.split('\n').flatMap((line) => /"kind":"(\w+)"/u.exec(line)?.[1] ?? [])

describe('[F101] a mapping on the command line', () => {
  it('convert --map reads with the mapping file, and says what could not be used', async () => {
    const { code, out, err } = await runHere(['convert', SHOP, '--map', SHOP_MAP])
    expect(code).toBe(0)
    expect(kindsOf(out)).toEqual(
      'user agent tool_call tool_result agent meta user tool_call tool_result'.split(' '),
    )
    expect(err).toContain(':3: 2 lines could not be used, first: "events.0.text"')
  })

  it('replay and convert know the mappings of the workspace, others refuse the file', async () => {
    const map = readFileSync(SHOP_MAP, 'utf8')
    const folder = makeFolder({ 'profiles/formats/shop.yaml': map })
    const at = ['--workspace', folder]
    expect((await runHere(['replay', SHOP, ...at])).out).toContain('Where is my parcel?')
    expect(kindsOf((await runHere(['convert', SHOP, ...at])).out)).toHaveLength(9)
    const without = await runHere(['convert', SHOP])
    expect(without.code).toBe(2)
  })

  it('a mapping file that is wrong ends with 2 and one line with file, line and field', async () => {
    const folder = makeFolder({ 'm.yaml': 'label: A\nevents:\n  - kind: user\n    text: said\n' })
    const { code, out, err } = await runHere(['convert', SHOP, '--map', join(folder, 'm.yaml')])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/m\.yaml:4:11: "events\.0\.text\.0": no path: a path begins with \$/u)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
})
