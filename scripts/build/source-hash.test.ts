import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../../bin/source-code.cjs'
import { ROOT } from '../build.ts'
import { hashInput } from './source-hash.ts'

const hash = (path: string, text: string) => hashInput(path, Buffer.from(text))

describe('the code of a module', () => {
  it.each([
    ['a line comment', 'a() // why\nb()', 'a()\nb()'],
    ['a block comment', 'a(/* x */ 1)', 'a( 1)'],
    ['a comment over lines ends a line', 'return /* \n */ a', 'return\na'],
    ['blank lines and indentation', 'if (a) {\n\n    b()\n}\n', 'if (a) {\nb()\n}'],
    ['strings stay', 'a(\'// no\', "/* no */  x")', 'a(\'// no\', "/* no */  x")'],
    ['templates stay', '`// ${a /* yes */ + `/* no */\n\n`} //`', '`// ${a + `/* no */\n\n`} //`'],
    ['regular expressions stay', 'a = /[/*]\\/\\/"/u // b', 'a = /[/*]\\/\\/"/u'],
    ['one behind a condition', "if (a) /'/.test(b) // c", "if (a) /'/.test(b)"],
    ['one behind return', "return /'/.test(b) // c", "return /'/.test(b)"],
    ['division', "a = (b) / c / d // '", 'a = (b) / c / d'],
    ['division of an asserted value', "a = b! / c / d // '", 'a = b! / c / d'],
    ['comments that the bundler obeys', 'a = /* @__PURE__ */ b()', 'a = /* @__PURE__ */ b()'],
  ])('%s', (_, text, code) => expect(codeOf(text)).toBe(code))

  it('has the comments that the bundler finds, in every module of the repository', () => {
    const folders = ['addons', 'bin', 'core', 'electron', 'page', 'renderer', 'scripts', 'fixtures']
    const paths = folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.[cm]?[jt]s$/u.test(name) && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    )
    expect(paths.length).toBeGreaterThan(1500)
    expect(paths.filter((path) => !isStripped(path))).toEqual([])
  })
})

const squeeze = (text: string) => text.replace(/\s+/gu, '')

function isStripped(path: string): boolean {
  const text = readFileSync(join(ROOT, path), 'utf8')
  let rest = ''
  let at = 0
  for (const { start, end, value } of parseSync(path, text).comments) {
    const stays = /@vite-ignore|@__PURE__/u.test(value) || text.startsWith('#!', start)
    rest += text.slice(at, stays ? end : start)
    at = end
  }
  return squeeze(codeOf(text)) === squeeze(rest + text.slice(at))
}

describe('the hash of an input', () => {
  it.each([
    ['a.ts', 'a()\n', '// why\n\na()\n'],
    ['a.tsx', 'a = <b>x</b>\n', '// why\n\na = (\n  <b>\n    {/* why */}\n    x\n  </b>\n)\n'],
    ['a.css', 'a {\n  color: red;\n}\n', '/* why */\n\na {\n    color: red;\n}'],
  ])('of %s ignores comments and layout', (path, text, same) =>
    expect(hash(path, same)).toBe(hash(path, text)),
  )

  it.each([
    ['a.ts', "a('x')", "a('y')"],
    ['a.tsx', '<b>it’s // x</b>', '<b>it’s // y</b>'],
    ['a.css', 'a { content: "/* x */" }', 'a { content: "/* y */" }'],
    ['a.json', '{"a": 1}', '{"a":  1}'],
  ])('of %s tells other content', (path, text, other) =>
    expect(hash(path, other)).not.toBe(hash(path, text)),
  )
})
