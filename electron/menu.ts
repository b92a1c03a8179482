import type { MenuItemConstructorOptions } from 'electron'
import { HELP_LINKS } from './external-links.ts'

interface MenuActions {
  readonly isMac: boolean
  /** Developer tools and reload are for a clone, not for an installed app. */
  readonly isPackaged: boolean
  /** Hands a command of the renderer's command table to the window. */
  readonly run: (command: string) => void
  readonly openLink: (url: string) => void
}

interface CommandItem {
  readonly label: string
  readonly command: string
  readonly accelerator?: string
}

const SEPARATOR = { type: 'separator' } as const

const FILE: readonly CommandItem[] = [
  { label: 'Open Session…', command: 'open-file', accelerator: 'CmdOrCtrl+O' },
]

/** `null` is a separator. Single letters are the page's own keys: a menu would take them from inputs. */
const GO: ReadonlyArray<CommandItem | null> = [
  { label: 'Command Palette…', command: 'palette', accelerator: 'CmdOrCtrl+K' },
  { label: 'Find in Session…', command: 'find', accelerator: 'CmdOrCtrl+F' },
  { label: 'Go to Turn…', command: 'goto', accelerator: 'CmdOrCtrl+G' },
  null,
  { label: 'Back', command: 'back' },
  { label: 'Forward', command: 'forward' },
  null,
  { label: 'Next Turn', command: 'next-turn' },
  { label: 'Previous Turn', command: 'previous-turn' },
  { label: 'Next Break', command: 'next-break' },
  { label: 'Previous Break', command: 'previous-break' },
  { label: 'Next Flip', command: 'next-flip' },
  { label: 'Previous Flip', command: 'previous-flip' },
  null,
  { label: 'Prompt Playground', command: 'playground' },
]

const THEMES: readonly CommandItem[] = [
  { label: 'System', command: 'theme-system' },
  { label: 'Light', command: 'theme-light' },
  { label: 'Dark', command: 'theme-dark' },
  { label: 'High Contrast', command: 'theme-contrast' },
]

/** The native menu as a template. It only sends commands, so it can do nothing that the page cannot. */
export function menuTemplate(actions: MenuActions): MenuItemConstructorOptions[] {
  const { isMac, isPackaged, run, openLink } = actions
  const item = (entry: CommandItem | null): MenuItemConstructorOptions => {
    if (entry === null) return SEPARATOR
    const { label, command, accelerator } = entry
    const click = () => run(command)
    return { id: command, label, click, ...(accelerator === undefined ? {} : { accelerator }) }
  }
  const developer: MenuItemConstructorOptions[] = isPackaged
    ? []
    : [SEPARATOR, { role: 'reload' }, { role: 'toggleDevTools' }]
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [...FILE.map(item), SEPARATOR, { role: isMac ? 'close' : 'quit' }],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { label: 'Theme', submenu: THEMES.map(item) },
        SEPARATOR,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        SEPARATOR,
        { role: 'togglefullscreen' },
        ...developer,
      ],
    },
    { label: '&Go', submenu: GO.map(item) },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        item({ label: 'Keyboard Shortcuts', command: 'help' }),
        item({ label: 'Updates…', command: 'updates' }),
        SEPARATOR,
        ...HELP_LINKS.map(({ label, url }) => ({
          label,
          click: () => openLink(url),
        })),
      ],
    },
  ]
}
