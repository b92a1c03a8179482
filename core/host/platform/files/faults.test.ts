import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { someCases } from '../../../../fixtures/cases.ts'
import { FAULTS, type Fault, withFault } from '../../../../fixtures/faults.ts'
import { quickFolder } from '../../../../fixtures/quick-folder.ts'
import { type Save, leftovers, SAVES } from '../../../../fixtures/saves.ts'

const folder = () => mkdtempSync(join(quickFolder(), 'turnscope-faults-'))

/** The files before and after an operation that succeeds. */
async function ends(save: Save): Promise<readonly [before: string, after: string, calls: number]> {
  const root = folder()
  save.begin(root)
  const before = JSON.stringify(await save.read(root))
  const { end, seen } = await withFault({ root, at: 0, fault: 'EIO' }, () => save.run(root, tell))
  expect(end.status).toBe('fulfilled')
  const after = JSON.stringify(await save.read(root))
  expect(after).not.toBe(before)
  expect(leftovers(root)).toEqual([])
  rmSync(root, { recursive: true })
  return [before, after, seen.calls.length]
}

function tell(line: string): void {
  throw new Error(`said without a fault: ${line}`)
}

/** A process that ended is gone: its locks name a process that there is not. */
function buryWriters(root: string): void {
  for (const name of leftovers(root).filter((each) => each.endsWith('.lock'))) {
    const path = join(root, name)
    const gone = readFileSync(path, 'utf8').replace(/"pid":\d+/u, '"pid":999999999')
    writeFileSync(path, gone)
    // A lock that was made and not filled is taken over after a minute.
    const old = new Date(Date.now() - 120_000)
    utimesSync(path, old, old)
  }
}

/** Runs one operation with one fault. Returns a line that describes the error, or null. */
async function wrong(
  save: Save,
  { at, fault, old, fresh }: { at: number; fault: Fault; old: string; fresh: string },
): Promise<string | null> {
  const root = folder()
  save.begin(root)
  const said: string[] = []
  const { end, seen } = await withFault({ root, at, fault }, () =>
    save.run(root, (line) => said.push(line)),
  )
  if (fault === 'stop') buryWriters(root)
  const where = `${fault} at ${at}, ${seen.failed ?? 'nothing'}: `
  const told = end.status === 'rejected' ? String(end.reason) : said.join('\n')
  const left = leftovers(root).filter(
    // A temporary file that could not be removed stays until the next start (F14).
    (name) => !(seen.failed === 'rm' && name.endsWith('.tmp')),
  )
  const now = JSON.stringify(await save.read(root))
  const isFresh = now === fresh
  const checks: ReadonlyArray<readonly [string, boolean]> = [
    [`neither the old nor the new content: ${now.slice(0, 300)}`, now !== old && !isFresh],
    ['told "saved", and it is not there', told === '' && !isFresh],
    [`told without a path: ${told}`, told !== '' && !told.includes(root)],
    [`left open: ${seen.leftOpen.join()}`, seen.leftOpen.length > 0],
    [`left behind: ${left.join()}`, left.length > 0 && seen.failed !== 'rm' && fault !== 'stop'],
  ]
  // After any fault the next save succeeds and leaves no temporary files.
  const again: string[] = []
  await save
    .run(root, (line) => again.push(line))
    .catch((error: unknown) => again.push(String(error)))
  const more: typeof checks = [
    [`the next save fails: ${again.join()}`, again.length > 0],
    ['a lock stays', leftovers(root).some((name) => name.includes('.lock'))],
  ]
  rmSync(root, { recursive: true })
  const all = [...checks, ...more].flatMap(([what, isWrong]) => (isWrong ? [what] : []))
  return all.length === 0 ? null : where + all.join('; ')
}

describe('[F23] an error at any call of a save: old or new content whole, nothing acknowledged lost, all told', () => {
  it.each(Object.entries(SAVES))('%s', async (_, save) => {
    const [old, fresh, calls] = await ends(save)
    const problems: string[] = []
    const all = FAULTS.flatMap((fault) =>
      Array.from({ length: calls }, (_call, at) => ({ fault, at: at + 1 })),
    )
    for (const { fault, at } of someCases('files: faults of a save', all)) {
      const problem = await wrong(save, { at, fault, old, fresh })
      if (problem !== null) problems.push(problem)
    }
    expect(problems).toEqual([])
  })
})
