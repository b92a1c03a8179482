/** Edits in Tune whose patterns never end (T61): how long until the flips are there, and until the next edit has its own. */
import { join } from 'node:path'
import type { TurnscopeContract } from '../core/wire/contract.ts'
import { connect } from '../core/wire/rpc.ts'
import { collect, CONFIG, makeFolder, makeHost, makeSession, openIn } from '../fixtures/host.ts'
import { portPair } from '../fixtures/port-pair.ts'
import type { Section } from './measure.ts'

const TURNS = 2_000
/** Every second text makes each of the patterns backtrack for ever. */
const HOLDS = `${'a'.repeat(45)}b python`

function domains(hanging: number, comment = ''): string {
  const patterns = Array.from({ length: hanging }, (_, n) => `'^(a+)+(?:${n}|!)$'`)
  const signals = ['python', ...patterns.map((pattern) => `{pattern: ${pattern}, dialect: js}`)]
  return `${comment}domains:
  - name: coding
    signals: [${signals.join(', ')}]
  - name: conversation
    signals: [hello]
`
}

export async function benchHang(): Promise<Section> {
  const workspace = makeFolder({
    'profiles/domains/own.yaml': domains(0),
    's.jsonl': makeSession(TURNS, (turn) => (turn % 2 === 0 ? 'python aa' : HOLDS)),
  })
  const host = makeHost({ workspace })
  const { left, right } = portPair()
  host.mount(right)
  const client = connect<TurnscopeContract>(left)
  const { key } = await openIn(client, { kind: 'path', path: join(workspace, 's.jsonl') })
  const config = { ...CONFIG, domains: 'own' }
  const steps = await collect(client, 'lab.open', {
    keys: [key],
    folders: [],
    samples: false,
    config,
  })
  const corpus = steps.flatMap((step) => (step.kind === 'ready' ? [step.corpus] : []))[0] ?? ''

  /** Seconds on the clock and of processors, and patterns that were cut off. */
  async function edit(domainsText: string): Promise<readonly [string, string, string]> {
    const start = performance.now()
    const used = process.cpuUsage()
    const draft = { config, domainsText, options: {} }
    const answers = await collect(client, 'lab.flips', {
      corpus,
      base: { kind: 'config', config },
      side: { kind: 'draft', draft },
    })
    const seconds = ((performance.now() - start) / 1000).toFixed(2)
    const { user, system } = process.cpuUsage(used)
    const last = answers.at(-1)
    const cut = last?.kind === 'flips' ? (last.report?.cutOffs.length ?? -1) : -1
    return [seconds, ((user + system) / 1e6).toFixed(2), String(cut)]
  }

  const rows = [
    ['an edit without such patterns', ...(await edit(domains(0, '# 1\n')))],
    ['with one', ...(await edit(domains(1)))],
    ['the next edit', ...(await edit(domains(0, '# 2\n')))],
    ['with sixty', ...(await edit(domains(60)))],
    ['the next edit', ...(await edit(domains(0, '# 3\n')))],
  ]
  await host.close()
  return {
    title: `Patterns that never end, in Tune over ${TURNS.toLocaleString('en')} turns`,
    head: ['', 'seconds until the flips', 'processor seconds', 'patterns cut off'],
    rows,
    notes: ['a pattern that was cut off is named and matches nothing; all other flips are right'],
    failed: rows.some(([, , , cut], at) => cut !== ['0', '1', '0', '60', '0'][at]),
  }
}
