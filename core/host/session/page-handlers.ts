import type { z } from 'zod'
import type { Immutable } from '../../engine/schema/immutable.ts'
import type { HandlersOf } from '../../wire/rpc.ts'
import type { SessionContract } from '../../wire/threads.ts'
import { loadConfig } from '../files/config-files.ts'
import { createLabelStore } from '../files/label-store.ts'
import type { Workspace } from '../files/workspace.ts'
import { exportPage } from '../shared/page/export-page.ts'
import { valueOrRefuse } from '../shared/refusal.ts'
import type { SessionService } from './service.ts'

type Input = z.output<SessionContract['page.write']['in']>
type Step = Immutable<z.input<SessionContract['page.write']['out']>>

/** Characters of one chunk on its way to a browser. */
const CHUNK = 256 * 1024

/** [R11] Sessions of an opened file as one HTML file. */
export function createPageHandlers(
  service: SessionService,
  workspace: Workspace,
): HandlersOf<SessionContract, 'page'> {
  const labels = createLabelStore(workspace.root)

  /** The lines of the labels file as they are; null where there is none. */
  async function labelsOf(key: string): Promise<string | null> {
    const files = await labels.read(service.file(key))
    const lines = files.flatMap((file) => file.lines.map(({ raw }) => raw))
    return lines.length === 0 ? null : `${lines.join('\n')}\n`
  }

  async function* write(input: Input, signal: AbortSignal): AsyncGenerator<Step, void> {
    const { key, config, kinds, keep, sessions, compare, version } = input
    let redacted = 0
    const onSecret = () => {
      redacted += 1
    }
    const files = valueOrRefuse(await loadConfig(workspace, config))
    const { transcript } = service.opened(key)
    const page = valueOrRefuse(
      await exportPage({
        ...{ transcript, chosen: sessions, turns: null, config: files, compare, version },
        redaction: { kinds, keep: new Set(keep), onSecret },
        labels: await labelsOf(key),
        name: service.file(key).name,
        shipped: workspace.roots.at(-1) ?? workspace.root,
        replay: async (session) => {
          const address = { key, session: transcript.sessions.indexOf(session) }
          return (await service.replay(address, config, { signal })).columns
        },
      }),
    )
    signal.throwIfAborted()
    const { html, bytes, about } = page
    for (let at = 0; at < html.length; at += CHUNK) {
      yield { kind: 'chunk', text: html.slice(at, at + CHUNK) }
      signal.throwIfAborted()
    }
    yield { kind: 'written', bytes, redacted, about }
  }

  return { 'page.write': (input, { signal }) => write(input, signal) }
}
