import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { someCases } from '../../../fixtures/cases.ts'
import { makeFolder } from '../../../fixtures/host.ts'
import { type Ran, runCli } from '../../../fixtures/run-cli.ts'
import { runHere } from '../../../fixtures/run-here.ts'
import { makeZip } from '../../../fixtures/zip.ts'

const START = fileURLToPath(new URL('../../../scripts/start.ts', import.meta.url))

const of = (code: number) => String.fromCodePoint(code)
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => of(from + index))

/** Hostile names that a transcript may contain without harm. */
const HOSTILE: readonly string[] = [
  '\u001B]52;c;ZXZpbA==\u0007',
  '\u001B]0;a new title\u001B\\',
  '\u001B[2J\u001B[H',
  '\u001B[1A\u001B[2K',
  '\u001B[31mred\u001B[0m',
  '\u001BPq#0\u001B\\',
  '\u001Bc',
  '\u009B2J',
  '\u009D52;c;ZXZpbA==\u009C',
  'over\rwritten',
  'a\b\b\bb',
  ...range(1, 6),
  ...range(11, 12),
  ...range(14, 26),
  '\u007F',
  '\u0080',
  '\u0085',
  '\u008D',
  '\u0090',
  '\u0098',
  '\u009E',
  '\u009F',
  '\u061C',
  '\u200E',
  '\u200F',
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  '\u2028',
  '\u2029',
  '\u200B',
  '\u2060',
  '\uFEFFx',
  '\u00AD',
  '\u{E0041}\u{E0042}',
]
const NAMES = HOSTILE.map((text, index) => `N${index}${text}E`)

/** Everything that must not arrive; halves of characters are bytes of U+FFFD after writing. */
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- exactly those that a terminal must not see
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|[\u{E0000}-\u{E007F}]/u

function firstHarm(text: string): string {
  const at = text.search(FORBIDDEN)
  return at < 0 ? '' : JSON.stringify(text.slice(Math.max(0, at - 60), at + 20))
}

const lines = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

function transcript(name: string): string {
  return lines(
    { type: 'session', schemaVersion: 1, id: name, title: name },
    { kind: 'user', text: `Please investigate ${name}` },
    { kind: 'tool_call', name, text: `{"path":${JSON.stringify(name)}}`, callId: name },
    { kind: 'tool_result', name, text: name, callId: name, isError: true },
    { kind: 'agent', text: `I could not do ${name}. It is done.` },
    { kind: 'user', text: `Fix ${name}` },
    { type: name, kind: 'nobody knows it' },
    { kind: name, text: 'no event' },
    { kind: 'agent', text: `<turn_signal type="${name}"/>` },
  )
}

const domains = (pattern: string) =>
  JSON.stringify({
    name: 'hostile',
    domains: NAMES.map((name, index) => ({
      name: `d ${name}`,
      enrichment_template: `Do ${name}.`,
      signals: [{ id: `s ${name}`, pattern, note: `n ${name}` }].slice(0, index % 3 === 2 ? 0 : 1),
    })),
  })

let folder = ''
/** A command in the folder of the hostile names. */
const run = (args: readonly string[], input = ''): Promise<Ran> =>
  runHere(args, { input, cwd: folder })

/** Strings anywhere in values of JSON. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return [...Object.keys(value), ...Object.values(value).flatMap(stringsIn)]
}

beforeAll(() => {
  const label = (name: string) => ({
    type: 'text',
    id: name,
    text: `Please look at ${name}`,
    primary: name,
    note: name,
  })
  const message = (name: string) => ({
    type: 'user',
    uuid: name,
    sessionId: name,
    message: {
      role: 'user',
      content: [
        { type: name, text: name },
        { type: 'text', text: name },
      ],
    },
  })
  folder = makeFolder({
    'all/all.jsonl': NAMES.map(transcript).join(''),
    'blocks.jsonl': lines(...NAMES.map(message)),
    'labels/cases.jsonl': `${lines(...NAMES.map(label))}${NAMES.join('\n')}\n`,
    'w/profiles/domains/hostile.yaml': domains('e'),
    'w/profiles/domains/other.yaml': domains('zzz'),
    'w/profiles/domains/bad.yaml': JSON.stringify({
      name: 'bad',
      domains: NAMES.map((name) => ({ name: `d ${name}`, signals: [{ pattern: `(${name}` }] })),
    }),
  })
  mkdirSync(join(folder, 'many'))
  const named = NAMES.filter((name) => !name.includes('/'))
  for (const name of named) writeFileSync(join(folder, 'many', `${name}.jsonl`), transcript(name))
  const members = named.map((name) => ({ name: `${name}.json`, data: '{"broken"' }))
  writeFileSync(join(folder, 'archive.eval'), makeZip([...members, { name: 'x', data: '' }]))
  writeFileSync(join(folder, 'archive.zip'), makeZip(members))
})

const HOSTILE_DOMAINS = ['--workspace', 'w', '--domains', 'hostile']
const [BELL = '', , , , RED = '', , , CSI = ''] = NAMES

/** Commands whose output is tested: the text output, and with `--json` the strings that must survive in its lines. */
const COMMANDS: ReadonlyArray<readonly [title: string, args: readonly string[]]> = [
  ['replay', ['replay', 'all/all.jsonl', ...HOSTILE_DOMAINS]],
  ['replay of names', ['replay', 'many']],
  ['replay of blocks', ['replay', 'blocks.jsonl']],
  ['replay of an archive', ['replay', 'archive.zip']],
  ['replay of an evaluation', ['replay', 'archive.eval']],
  ['explain', ['explain', 'all/all.jsonl#1', ...HOSTILE_DOMAINS]],
  ['explain of a name', ['explain', `many/${BELL}.jsonl#2`, ...HOSTILE_DOMAINS]],
  ['find', ['find', 'e', 'all', 'many']],
  ['find of a kind', ['find', 'kind:tool_call', 'many']],
  ['library', ['library', 'scan', 'many', '--workspace', 'w']],
  ['convert', ['convert', 'all/all.jsonl', 'blocks.jsonl', '--report']],
  ['convert --redact', ['convert', 'all/all.jsonl', '--redact', '--report']],
  ['stats', ['stats', 'all', 'many', ...HOSTILE_DOMAINS]],
  ['lint', ['lint', ...HOSTILE_DOMAINS]],
  ['lint over sessions', ['lint', 'all', 'many', ...HOSTILE_DOMAINS, '--labels', 'labels']],
  ['lint of a bad file', ['lint', '--workspace', 'w', '--domains', 'bad']],
  ['check', ['check', '--labels', 'labels', ...HOSTILE_DOMAINS]],
  ['check of sessions', ['check', 'all', 'many', '--labels', 'labels']],
  [
    'diff',
    [
      'diff',
      '--base',
      'hostile',
      '--head',
      'other',
      'all',
      '--workspace',
      'w',
      '--domains',
      'other',
    ],
  ],
  ['diff of presets', ['diff', '--base', 'recommended', '--head', 'literal', 'many', 'all']],
  ['coach', ['coach', 'all/all.jsonl', '--workspace', 'w']],
  ['compose', ['compose', NAMES.join(' '), '--var', `${CSI}=${RED}`]],
  [
    'eval belief',
    ['eval', 'belief', '--workspace', 'w', '--domains', 'w/profiles/domains/hostile.yaml'],
  ],
  ['eval signal', ['eval', 'signal']],
  ['eval query', ['eval', 'query']],
  ['eval coach', ['eval', 'coach']],
  ['bundle', ['bundle', '--step', '1', '--run', CSI, '--results', `${BELL}.json`]],
  ['bundle of a time', ['bundle', '--step', '1', '--now', CSI]],
  ['probe', ['probe', `What about "${RED}"?`, '--collection', CSI]],
  ['index', ['index', CSI, `many/${BELL}`]],
  ['serve', ['serve', BELL]],
  ['open', ['open', BELL]],
  ['a file that is not there', ['replay', `/no/${BELL}`]],
  ['a preset', ['replay', 'all/all.jsonl', '--preset', RED]],
  ['a domain file', ['replay', 'all/all.jsonl', '--domains', `${CSI}.yaml`]],
  ['a kind', ['replay', 'all/all.jsonl', '--classify', RED]],
  ['a command', [CSI]],
  ['an option', ['replay', `--${RED}`]],
  ['too many', ['lint', '--rule', BELL]],
]

describe('[F12] hostile names never reach a terminal', () => {
  it.each(someCases('cli: hostile names', COMMANDS))('%s', async (_, args) => {
    const text = NAMES.map((n) => JSON.stringify({ message: `e ${n}`, text: n })).join('\n')
    const all = args.flatMap((arg) =>
      arg === 'many' && args[0] === 'replay' ? NAMES.map((name) => `many/${name}.jsonl`) : [arg],
    )
    const [plain, json] = await Promise.all([run(all, text), run([...all, '--json'], text)])
    expect(`${plain.out}${plain.err}`).not.toBe('')
    expect(`${json.err}\n${plain.err}`).not.toContain('a fault of Turnscope')
    expect([plain.out, plain.err, json.out, json.err].map(firstHarm)).toEqual(['', '', '', ''])
    // The parsed JSON contains the same names.
    for (const line of json.out.split('\n').filter((each) => /^[[{]/u.test(each))) {
      const back = stringsIn(JSON.parse(line)).join('\n')
      expect(back).not.toMatch(/\\x[0-9a-f]{2}|\\u\{/u)
    }
  })

  it('--json gives back the names themselves', async () => {
    const [replayed, listed, found] = await Promise.all([
      run(['replay', 'all/all.jsonl', '--json', ...HOSTILE_DOMAINS]),
      run(['library', 'scan', 'many', '--workspace', 'w', '--json']),
      run(['find', 'kind:tool_call', 'many', '--json']),
    ])
    const back = (ran: Ran) =>
      new Set(
        ran.out
          .trim()
          .split('\n')
          .flatMap((line) => stringsIn(JSON.parse(line))),
      )
    const sessions = back(replayed)
    const titles = back(listed)
    const tools = back(found)
    for (const name of NAMES) {
      expect(sessions).toContain(name)
      expect(sessions).toContain(`d ${name}`)
      expect(titles).toContain(name)
      expect(tools).toContain(name)
    }
  })

  it('reports are XML and JSON that say the same', async () => {
    const args = ['--junit', 'r.xml', '--sarif', 'r.sarif']
    await run(['lint', 'all', ...HOSTILE_DOMAINS, '--labels', 'labels', ...args])
    const [xml, sarif] = ['r.xml', 'r.sarif'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    )
    expect(firstHarm(xml ?? '')).toBe('')
    expect(firstHarm(sarif ?? '')).toBe('')
    expect(xml).toContain('&#x202e;')
    expect(stringsIn(JSON.parse(sarif ?? '')).join('\n')).toContain('\u202E')
  })

  it('the starter encodes what it says', async () => {
    const ran = await runCli([BELL], '', START)
    expect(ran.err).toContain(String.raw`\x1b]52;c;`)
    expect(firstHarm(ran.err + ran.out)).toBe('')
  })
})
