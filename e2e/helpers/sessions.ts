import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../../scripts/build.ts'

/** Lines of the long sample session: its header, then its events. */
export async function sampleLines(): Promise<readonly [head: string, ...events: string[]]> {
  const text = await readFile(join(ROOT, 'fixtures/sessions/st-003.jsonl'), 'utf8')
  const [head = '', ...events] = text.trimEnd().split('\n')
  return [head, ...events]
}

/** A native session with the sample's events again and again, `times` times. */
export async function repeatedSample(times: number): Promise<string> {
  const [head, ...events] = await sampleLines()
  return [head, ...Array.from({ length: times }, () => events).flat(), ''].join('\n')
}

/** A folder of one test's own; `clean` takes it away. */
export async function temporaryFolder(): Promise<{
  readonly path: string
  readonly write: (name: string, text: string) => Promise<string>
  readonly copy: (fixture: string, name: string) => Promise<string>
  readonly clean: () => Promise<void>
}> {
  const path = await mkdtemp(join(tmpdir(), 'turnscope-files-'))
  const place = async (name: string) => {
    const target = join(path, name)
    await mkdir(dirname(target), { recursive: true })
    return target
  }
  return {
    path,
    write: async (name, text) => {
      const target = await place(name)
      await writeFile(target, text)
      return target
    },
    copy: async (fixture, name) => {
      const target = await place(name)
      await copyFile(join(ROOT, 'fixtures', fixture), target)
      return target
    },
    clean: () => rm(path, { recursive: true, force: true }),
  }
}
