import { host } from './host.ts'
import { resolveTheme } from './selectors.ts'
import { patchView, store, type Theme } from './store.ts'

export const THEMES: readonly Theme[] = ['system', 'light', 'dark', 'contrast']
const KEY = 'turnscope.theme'

export function chooseTheme(theme: Theme): void {
  patchView({ theme })
  host()
    .call('settings.set', { theme })
    .catch(() => undefined)
}

export function nextTheme(): void {
  const next = (THEMES.indexOf(store.getState().view.theme) + 1) % THEMES.length
  chooseTheme(THEMES[next] ?? 'system')
}

/** Keeps the page in the chosen theme, or in the system's theme if the setting follows it. */
export function followTheme(): void {
  const prefersDark = matchMedia('(prefers-color-scheme: dark)')
  const look = () => patchView({ systemDark: prefersDark.matches })
  prefersDark.addEventListener('change', look)
  // The last choice is known here before the host answers: no flash of the other theme.
  const last = THEMES.find((theme) => theme === localStorage.getItem(KEY))
  if (last) patchView({ theme: last })
  const draw = () => {
    const { theme, systemDark } = store.getState().view
    document.documentElement.dataset['theme'] = resolveTheme(theme, systemDark)
    if (localStorage.getItem(KEY) !== theme) localStorage.setItem(KEY, theme)
  }
  look()
  draw()
  store.subscribe(draw)
}
