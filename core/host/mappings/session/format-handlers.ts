import { join } from 'node:path'
import { FormatMap } from '../../../engine/schema/format-map.ts'
import { FORMATS_FOLDER } from '../../../engine/schema/formats-folder.ts'
import type { Answer } from '../../../wire/method.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { fingerprintOf } from '../../platform/files/fingerprint.ts'
import { previewFormat, startFormat } from '../format-preview.ts'
import { watchFile } from '../../transcripts/live-work.ts'
import { parseDataFile } from '../../platform/files/parse-file.ts'
import { textIfThere } from '../../platform/files/regular-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { refusal, valueOrRefuse } from '../../platform/threads/refusal.ts'
import { isPlainName } from '../../platform/names.ts'

type Seen = Answer<SessionContract, 'formats.watch'>

/** [U185] Mapping files of the workspace: lists them, previews a file with them, and writes them. */
export function createFormatHandlers(workspace: Workspace): HandlersOf<SessionContract, 'formats'> {
  /** The path of a mapping of this name, existing or new. */
  const placeOf = async (name: string) => {
    const shown = `${FORMATS_FOLDER}/${name}.yaml`
    const own = (await workspace.list('formats')).find((file) => file.name === name)
    return own ?? { name, shown, path: join(workspace.root, FORMATS_FOLDER, `${name}.yaml`) }
  }
  return {
    'formats.list': async () => {
      const files = await workspace.list('formats')
      const rows = files.map(async ({ name, shown: file }) => {
        const read = await workspace.format(name)
        const found = read.ok
          ? { label: read.value.value.label, problem: null }
          : { label: null, problem: read.error }
        return { name, file, ...found }
      })
      return { files: await Promise.all(rows) }
    },
    'formats.watch': async function* ({ name }, { signal }): AsyncGenerator<Seen, void> {
      if (!isPlainName(name)) throw noName(name)
      const { path, shown } = await placeOf(name)
      const watch = watchFile(path)
      try {
        let before: string | null | undefined
        while (!signal.aborted) {
          const read = await textIfThere(path, shown)
          const text = read === null ? null : valueOrRefuse(read)
          if (text !== before) {
            before = text
            yield { file: shown, text, fingerprint: text === null ? null : fingerprintOf(text) }
          }
          await watch.next(signal)
        }
      } finally {
        watch.close()
      }
    },
    'formats.save': async ({ name, text, fingerprint }) => {
      if (!isPlainName(name)) throw noName(name)
      const { path, shown } = await placeOf(name)
      valueOrRefuse(parseDataFile(FormatMap, text, shown))
      const files = [{ path, before: fingerprint, text }]
      const answer = await workspace.saves.save({ kind: 'formats', files })
      if (answer.kind === 'saved') return { file: shown, fingerprint: answer.written[0] ?? '' }
      const what = 'the file was changed by another program meanwhile; nothing was written'
      throw refusal({ what, where: shown, do: 'Look at what it says now, then save again' })
    },
    'formats.start': ({ file }) => startFormat(file.path, file.name),
    'formats.preview': async ({ file, name, text }, { signal }) => {
      const { shown } = await placeOf(name)
      return previewFormat({ path: file.path, name: file.name, text, shown, signal })
    },
  }
}

const noName = (name: string) =>
  refusal({
    what: 'not a name of a mapping',
    where: `"${name}"`,
    do: `Use the name of a file in ${FORMATS_FOLDER}, without folder`,
  })
