/**
 * Runs the specification's own Python on our inputs, so that speed and results are compared in one run. Its code blocks
 * are read from the specification at run time, if that folder exists next to the repository. They are not part of the
 * repository.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SPEC = fileURLToPath(new URL('../../shared/specs/compound-bst.md', import.meta.url))

/** Code blocks that define scoring, found by their definitions, so that their order may change. */
const WANTED = ['def score_all_domains', 'def extract_compound', 'DOMAIN_PRIORITY = {']

const HARNESS = `
import json, sys, time
with open(sys.argv[1], encoding='utf-8') as f:
    data = json.load(f)
configs = {d['name']: {'signals': d['signals']} for d in data['domains']}
answers = [[[s[0], s[1]] for s in score_all_domains(m, configs)] for m in data['messages']]
best = None
for _ in range(data['rounds']):
    start = time.process_time()
    for m in data['messages']:
        score_all_domains(m, configs)
    took = time.process_time() - start
    best = took if best is None or took < best else best
json.dump({'seconds': best, 'answers': answers}, sys.stdout)
`

interface PythonInput {
  readonly domains: ReadonlyArray<{ readonly name: string; readonly signals: readonly string[] }>
  readonly messages: readonly string[]
  readonly rounds: number
}

interface PythonAnswer {
  /** Processor time of the best round, for all messages. */
  readonly seconds: number
  /** Per message: [domain, score] in the document's order. */
  readonly answers: ReadonlyArray<ReadonlyArray<readonly [string, number]>>
}

/** Null if the specification or python3 is missing; the caller reports it. */
export function runPython(input: PythonInput): PythonAnswer | null {
  if (!existsSync(SPEC)) return null
  const blocks = [...readFileSync(SPEC, 'utf8').matchAll(/```python\n([\s\S]*?)```/g)]
    .map((match) => match[1] ?? '')
    .filter((block) => WANTED.some((wanted) => block.includes(wanted)))
  const folder = mkdtempSync(join(tmpdir(), 'turnscope-bench-'))
  try {
    writeFileSync(join(folder, 'spec.py'), ['import re', ...blocks, HARNESS].join('\n'))
    writeFileSync(join(folder, 'input.json'), JSON.stringify(input))
    const out = execFileSync('python3', [join(folder, 'spec.py'), join(folder, 'input.json')], {
      maxBuffer: 1 << 28,
      encoding: 'utf8',
    })
    return JSON.parse(out) as PythonAnswer
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
