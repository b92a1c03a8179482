// The order of the layers is declared in the first sheet.
import './ui/theme.css'
import './ui/base.css'
import './ui/ui.css'
import './ui/parts.css'
import { createRoot } from 'react-dom/client'
import { connectHost } from './app/api.ts'
import { App } from './app/app.tsx'
import { runCommand, setPage } from './app/commands.ts'
import { shortcutOf } from './app/keys.ts'
import { followUrl, linkOf, online } from './app/boot.ts'
import { followBundles } from './features/bundle/bundle.ts'
import { redactSelection } from './app/copy.ts'
import { followCoach } from './features/coach/coach.ts'
import { closeFind } from './features/find/find.ts'
import { closeFolder } from './features/library/folders.ts'
import { setHost } from './app/host.ts'
import { followLab } from './features/dock/dock.ts'
import { labelByKey } from './features/label/labels.ts'
import { followProbe } from './features/probe/probe.ts'
import { resolveTheme } from './app/selectors.ts'
import { patchDocument, patchView, store } from './app/store.ts'
import { writeLink } from './app/url.ts'

const THEME_KEY = 'turnscope.theme'

function followTheme(): void {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)')
  const look = () => patchView({ systemDark: prefersDark.matches })
  prefersDark.addEventListener('change', look)
  // The last choice is known here before the host answers: no flash of the other theme.
  const last = localStorage.getItem(THEME_KEY)
  if (last === 'light' || last === 'dark' || last === 'contrast') patchView({ theme: last })
  const draw = () => {
    const { theme, systemDark } = store.getState().view
    document.documentElement.dataset['theme'] = resolveTheme(theme, systemDark)
    if (localStorage.getItem(THEME_KEY) !== theme) localStorage.setItem(THEME_KEY, theme)
  }
  look()
  draw()
  store.subscribe(draw)
}

/** Esc closes what lies over the session, the topmost first. */
function escape(): void {
  const { view, folders } = store.getState()
  if (view.drawer) patchView({ drawer: false })
  else if (folders.shown !== null) closeFolder()
  else if (view.find) closeFind()
}

function listenToKeys(): void {
  window.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return
    // The editor of the dock stands in a shadow root: its own element, not the root's host, counts.
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
    if (!inField && labelByKey(event)) {
      event.preventDefault()
      return
    }
    const shortcut = shortcutOf(event, inField)
    if (shortcut && runCommand(shortcut.command)) event.preventDefault()
  })
}

/** Browsers refuse more than some hundred changes of the URL in half a minute: a held key makes more. */
const URL_MS = 150

/** Writes the first change at once, those that follow closely together. */
function writeUrlSoon(): (fragment: string) => void {
  let wanted: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    timer = undefined
    if (wanted === null) return
    history.replaceState(null, '', `${location.pathname}${wanted ? `#${wanted}` : ''}`)
    wanted = null
    timer = setTimeout(write, URL_MS)
  }
  return (fragment) => {
    wanted = fragment
    if (timer === undefined) write()
  }
}

function link(): string {
  const url = new URL(location.href)
  url.hash = writeLink(linkOf(store.getState()))
  return url.href
}

function start(root: HTMLElement): void {
  followTheme()
  listenToKeys()
  followBundles()
  followLab()
  document.addEventListener('copy', redactSelection)
  followCoach()
  followProbe()
  let fileInput: HTMLInputElement | null = null
  setPage({
    chooseFile: () => fileInput?.click(),
    link,
    isNarrow: () => matchMedia('(width < 1200px)').matches,
  })
  followUrl(writeUrlSoon())
  const retry = connectHost({
    online: (host) => void online(host, location.hash, runCommand),
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
