// The order of the layers is declared in the first sheet.
import './ui/theme.css'
import './ui/base.css'
import './ui/ui.css'
import './ui/parts.css'
import './app/shell.css'
import './app/stages.css'
import './app/dialogs.css'
import './app/inspector.css'
import './app/problems.css'
import './app/dock.css'
import '../core/wire/no-eval.ts'
import './app/connect-early.ts'
import { createRoot } from 'react-dom/client'
import { isDesktop } from './app/api.ts'
import { App } from './app/app.tsx'
import { online } from './app/boot.ts'
import { lookWhenShown } from './app/saved.ts'
import { listenToConnection } from './app/connection.ts'
import { openChosen } from './app/drop-target.tsx'
import { pickFiles } from './app/file-handles.ts'
import { registry, runCommand } from './app/commands.ts'
import {
  COMMANDS,
  FEATURES,
  LEGEND,
  OPTIONAL_LANES,
  PALETTE,
  PANE_KEYS,
  TABS,
  lanesOfTab,
} from './app/features.ts'
import { commandOfKey } from './app/keys.ts'
import { redactSelection } from './app/copy.ts'
import { followHistory } from './app/history.ts'
import { setHost } from './app/host.ts'
import { focusSelection } from './app/regions.ts'
import { restored } from './app/restore.ts'
import { keptShown } from './app/shown.ts'
import { patchDocument, patchView, store } from './app/store.ts'
import { followTheme } from './app/theme.ts'
import { linkToCopy, writeLink } from './app/url.ts'
import { paneWithKeys } from './app/pane-keys.ts'
import { watchFirstTouch } from './ui/touched.ts'

/** Esc closes the topmost overlay of the session. */
function escape(): void {
  FEATURES.findLast((feature) => feature.escape?.())
}

function listenToKeys(): void {
  watchFirstTouch()
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    // The dock's editor is in a shadow root. Its own element counts, not the host of that root.
    const target = event.composedPath()[0]
    const inField =
      target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null
    const { dialog } = store.getState().view
    if (event.key === 'Escape' && dialog === null) {
      escape()
      return
    }
    // A dialog or a menu has the keyboard to itself.
    if (dialog !== null || document.querySelector('[role="menu"]')) return
    if (!inField && FEATURES.some(({ onKey }) => onKey?.(event))) {
      event.preventDefault()
      return
    }
    const command = commandOfKey(COMMANDS, event, inField)
    const { selected } = store.getState().view
    if (!command || !runCommand(command.id)) return
    event.preventDefault()
    // [U221] A panel whose keys label the selected turn keeps the keyboard.
    if (store.getState().view.selected !== selected && paneWithKeys(event.target) === null)
      focusSelection()
  })
}

const BACK_BUTTON = 3
const FORWARD_BUTTON = 4

/** [U71] Browsers know these buttons of a mouse themselves; the desktop shell leaves them to the page. */
function listenToMouse(go: (by: 1 | -1) => void): void {
  if (!isDesktop()) return
  window.addEventListener('mouseup', (event) => {
    if (event.button !== BACK_BUTTON && event.button !== FORWARD_BUTTON) return
    event.preventDefault()
    go(event.button === BACK_BUTTON ? -1 : 1)
  })
}

/** [I99] By the browser's dialog that gives handles, else by that of a field. */
async function chooseFile(byField: () => void): Promise<void> {
  const picked = await pickFiles()
  if (picked === null) byField()
  else await openChosen(picked)
}

function link(): string {
  const url = new URL(location.href)
  url.hash = writeLink(linkToCopy(store.getState()))
  return url.href
}

function start(root: HTMLElement): void {
  let fileInput: HTMLInputElement | null = null
  const { go } = followHistory(window)
  const page = {
    go,
    chooseFile: () => void chooseFile(() => fileInput?.click()),
    link,
    isNarrow: () => matchMedia('(width < 1200px)').matches,
  }
  registry.setState({
    features: FEATURES,
    commands: COMMANDS,
    palette: PALETTE,
    paneKeys: PANE_KEYS,
    legend: LEGEND,
    lanesOfTab,
    page,
    all: { tabs: TABS.map(({ id }) => id), lanes: OPTIONAL_LANES.map(({ id }) => id) },
  })
  followTheme()
  patchView({ shown: keptShown() })
  listenToKeys()
  listenToMouse(go)
  document.addEventListener('copy', redactSelection)
  // An operator who leaves a page that still responds has seen no crash.
  window.addEventListener('pagehide', () => restored())
  for (const { start: begin } of FEATURES) begin?.()
  lookWhenShown(document)
  const retry = listenToConnection({
    online: (host, settle) => void online(host, location.hash, runCommand).finally(settle),
    lost: (attempt, wait) => {
      setHost(null)
      patchDocument({ connection: { kind: 'lost', attempt, retryAt: Date.now() + wait } })
    },
    shut: (why) => patchDocument({ connection: { kind: why } }),
  })
  createRoot(root).render(
    <App
      retry={retry}
      fileInput={(input) => {
        fileInput = input
      }}
    />,
  )
}

const root = document.getElementById('root')
if (root) start(root)
