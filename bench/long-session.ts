import { createWriteStream, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { seeded } from './made-up-sessions.ts'
import { ROOT } from './server.ts'

const IS_TURN = /"kind":\s?"(?:user|tool_result)"/u
const IS_USER = /"kind":\s?"user"/u

/** Events of the sample session, recombined exchange by exchange until there are enough turns. */
export async function writeLongSession(path: string, turns: number): Promise<void> {
  const sample = readFileSync(join(ROOT, 'fixtures/sessions/st-003.jsonl'), 'utf8')
  const [head = '', ...lines] = sample.trimEnd().split('\n')
  const exchanges: string[][] = []
  for (const line of lines) {
    if (IS_USER.test(line) || exchanges.length === 0) exchanges.push([])
    exchanges.at(-1)?.push(line)
  }
  const sizes = exchanges.map((exchange) => exchange.filter((line) => IS_TURN.test(line)).length)
  const random = seeded(20260226)
  const out = createWriteStream(path)
  out.write(`${head}\n`)
  let written = 0
  while (written < turns) {
    const at = Math.floor(random() * exchanges.length)
    written += sizes[at] ?? 0
    if (!out.write(`${(exchanges[at] ?? []).join('\n')}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}
