import type { HostEvent } from '../../core/wire/contract.ts'
import type { Immutable } from '../../core/engine/schema/immutable.ts'
import type { Host } from './api.ts'
import { emptyLink } from './link.ts'
import { readLink } from './url.ts'
import { failed, ready } from './async-data.ts'
import { TABS } from './features.ts'
import { refreshFolders, showFolder } from '../features/library/folders.ts'
import { failureOf, setHost } from './host.ts'
import { openSource, refreshLibrary } from './open.ts'
import { known } from './run-of-link.ts'
import { openPaths } from './open-together.ts'
import { beginRestore, restoredSoon } from './restore.ts'
import { tellSaved } from './saved.ts'
import { patchDocument, patchView, store } from './store.ts'

/**
 * A host is there (again): what it offers is loaded, then the link is opened. After a reconnection
 * the same session is opened again, since the host may be another process.
 * @param fragment the URL's fragment at this moment
 * @param onCommand runs a command of the shell's menu by its id
 */
export async function online(
  client: Host,
  fragment: string,
  onCommand: (id: string) => void,
): Promise<void> {
  // What is on screen is of the host before, until it was opened again.
  setHost(client, false)
  patchDocument({ connection: { kind: 'online' } })
  try {
    const [info, settings] = await Promise.all([
      client.call('host.info', {}),
      client.call('settings.get', {}),
      refreshLibrary(),
      refreshFolders(),
    ])
    patchDocument({ info: ready(info) })
    const { preset, domains, profile } = settings
    patchView({
      theme: settings.theme,
      run: {
        preset: known(info.presets, preset) ?? info.presets[0]?.name ?? preset,
        domains: known(info.domainFiles, domains) ?? info.domainFiles[0]?.name ?? domains,
        profile: known(info.profiles, profile),
      },
    })
  } catch (error) {
    patchDocument({ info: failed(failureOf(error, 'Host'), store.getState().document.info) })
    return
  }
  client.subscribe('host.events', {}, { next: (event) => onHostEvent(event, onCommand) })
  const { link, notice } = beginRestore(readLink(fragment), String(performance.timeOrigin))
  // Without a session there is nothing to wait for.
  if (!link.source) restoredSoon()
  if (link.source) openSource(link.source, link)
  // Opening a source takes older notices away.
  if (notice) patchView({ notice })
  if (link.library !== null) void showFolder(link.library)
  setHost(client)
}

function onHostEvent(event: Immutable<HostEvent>, onCommand: (id: string) => void): void {
  if (event.kind === 'command') {
    onCommand(event.command)
    return
  }
  if (event.kind === 'saved') {
    tellSaved(event.what)
    return
  }
  if (event.kind === 'trust') {
    patchDocument({ trustAsked: store.getState().document.trustAsked + 1 })
    return
  }
  const tab = TABS.find(({ id }) => id === event.tab)?.id ?? null
  const { source } = event
  const shown = source.kind === 'upload' ? { ...source, name: 'dropped file' } : source
  const { others = [] } = event
  if (others.length > 0 && source.kind === 'path') openPaths([source.path, ...others])
  else openSource(shown, { ...emptyLink, turn: event.turn, tab })
}
