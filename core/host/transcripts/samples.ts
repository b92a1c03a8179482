import { stat } from '../platform/files/fenced-fs.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { Sample } from '../../wire/shapes.ts'
import { type Result, err, ok } from '../../engine/result.ts'
import { isPlainName } from '../platform/names.ts'
import { parseDataFile } from '../platform/files/parse-file.ts'
import { readText } from '../platform/files/regular-file.ts'

const SampleEntry = z.strictObject({
  ...Sample.shape,
  id: z.string().min(1),
  file: z.string().refine(isPlainName, 'the name of a file in fixtures/sessions, without folder'),
})
const SampleFile = z.strictObject({ samples: z.array(SampleEntry) })

/** A shipped sample session and the path of its file. */
interface SampleFileRef {
  readonly sample: Sample
  readonly path: string
}

/** Sample sessions of `fixtures/samples.json` below `root`, without those whose file is missing. */
export async function listSamples(root: string): Promise<readonly SampleFileRef[]> {
  const where = 'fixtures/samples.json'
  const text = await readText(join(root, where)).catch(() => null)
  if (text === null) return []
  const parsed = parseDataFile(SampleFile, text, where)
  if (!parsed.ok) return []
  const entries = parsed.value.samples.map(async ({ file, ...sample }) => {
    const path = join(root, 'fixtures', 'sessions', file)
    const there = await stat(path).catch(() => null)
    return there?.isFile() === true ? { sample, path } : null
  })
  return (await Promise.all(entries)).filter((entry) => entry !== null)
}

/** The file of one sample. */
export async function findSample(root: string, id: string): Promise<Result<SampleFileRef>> {
  const found = (await listSamples(root)).find((entry) => entry.sample.id === id)
  if (found) return ok(found)
  return err({
    what: `there is no sample "${id}"`,
    where: 'fixtures/samples.json',
    do: 'Choose one of the list',
  })
}
