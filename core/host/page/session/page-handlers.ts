import type { z } from 'zod'
import type { Immutable } from '../../../engine/schema/immutable.ts'
import type { ReplayConfig } from '../../../engine/schema/replay.ts'
import type { Session } from '../../../engine/schema/session.ts'
import type { HandlersOf } from '../../../wire/rpc.ts'
import type { SessionContract } from '../../../wire/threads.ts'
import { type ConfigFiles, loadConfig } from '../../workspace/config-files.ts'
import { parseLabels } from '../../labels/label-file.ts'
import { createLabelStore } from '../../labels/label-store.ts'
import { findTour } from '../../workspace/tour-folder.ts'
import type { PageContents } from '../../transcripts/page-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { TimeLimit } from '../../platform/guard/guard.ts'
import { exportPage } from '../export-page.ts'
import { PAGE_WORKSPACE } from '../page-files.ts'
import type { PageReplay, PageRequest } from '../page-request.ts'
import { valueOrRefuse } from '../../platform/threads/refusal.ts'
import { createDraftStore, draftFile } from '../../drafts/session/draft-store.ts'
import { replaySession } from '../../replay/session/replay.ts'
import type { SessionService } from '../../sessions/session/service.ts'
import { withoutTexts } from '../../export/session/without-texts.ts'

type Input = z.output<SessionContract['page.write']['in']>
type Step = Immutable<z.input<SessionContract['page.write']['out']>>

/** Characters of one chunk on its way to a browser. */
const CHUNK = 256 * 1024

async function compareOf(
  workspace: Workspace,
  name: string | null,
): Promise<PageRequest['compare']> {
  return name === null ? null : { name, preset: valueOrRefuse(await workspace.preset(name)) }
}

/** [R11] Sessions of an opened file as one HTML file. */
export function createPageHandlers(
  service: SessionService,
  workspace: Workspace,
  limit: TimeLimit,
): HandlersOf<SessionContract, 'page'> {
  const labels = createLabelStore(workspace.root)
  const drafts = createDraftStore(workspace, () => 0)

  /** The unchanged lines of the labels file; null if it does not exist. */
  async function labelsOf(key: string): Promise<string | null> {
    const files = await labels.read(service.file(key))
    const lines = files.flatMap((file) => file.lines.map(({ raw }) => raw))
    return lines.length === 0 ? null : `${lines.join('\n')}\n`
  }

  /** [U123] The draft that was left here, as a file of the page. */
  async function draftOf({ domains }: ConfigFiles): Promise<PageRequest['draft']> {
    const { text } = await drafts.current(domains.file)
    const saved = domains.text ?? ''
    if (text === null || text === saved) return null
    return (path) => draftFile(PAGE_WORKSPACE, path, { saved, text })
  }

  async function* write(input: Input, signal: AbortSignal): AsyncGenerator<Step, void> {
    const { key, config, kinds, keep, sessions, compare, version, text, edit } = input
    let redacted = 0
    const onSecret = () => {
      redacted += 1
    }
    const files = valueOrRefuse(await loadConfig(workspace, config))
    const tour =
      input.tour === null ? null : valueOrRefuse(await findTour(workspace.roots, input.tour))
    const { transcript } = service.opened(key)
    const { name } = service.file(key)
    const page = valueOrRefuse(
      await exportPage({
        sources: [{ transcript, chosen: sessions, labels: await labelsOf(key), name }],
        turns: input.turns,
        config: files,
        compare: await compareOf(workspace, compare),
        version,
        text,
        edit,
        redaction: { kinds, keep: new Set(keep), onSecret },
        draft: input.draft ? await draftOf(files) : null,
        tour,
        more: {},
        shipped: workspace.roots.at(-1) ?? workspace.root,
        replay: pageReplays(service, { config, compare, limit, signal }),
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

  return {
    'page.write': (input, { signal }) => write(input, signal),
    'page.brought': ({ key }) => ({ brought: broughtBy(service.opened(key).page) }),
  }
}

/** [U126] Content that came with a page, with its counts. */
function broughtBy(page: PageContents | null) {
  if (page === null) return null
  const lines = parseLabels(page.labels ?? '').flatMap(({ value }) => value ?? [])
  const notes = lines.filter(({ note }) => note !== undefined && note !== '').length
  const { draft, data } = page
  return { labels: lines.length, notes, draft, data: [...data] }
}

interface Replaying {
  readonly config: ReplayConfig
  readonly compare: string | null
  readonly limit: TimeLimit
  readonly signal: AbortSignal
}

/** Replays sessions for a page; without their texts, what both sides of the comparison found is recorded. */
function pageReplays(
  service: SessionService,
  { config, compare, ...options }: Replaying,
): (session: Session) => Promise<PageReplay> {
  const replayed = async (session: Session, of: ReplayConfig) =>
    replaySession(await service.compiled(of), session, options)
  return async (session) => {
    const replay = await replayed(session, config)
    return {
      columns: replay.columns,
      withoutTexts: async () => {
        const other =
          compare === null ? [] : [await replayed(session, { ...config, preset: compare })]
        return withoutTexts(session, [replay, ...other], options)
      },
    }
  }
}
