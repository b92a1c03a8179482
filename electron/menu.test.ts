import type { MenuItemConstructorOptions } from 'electron'
import { expect, it } from 'vitest'
import { COMMANDS } from '../renderer/app/features.ts'
import { isAllowedLink } from './external-links.ts'
import { menuTemplate } from './menu.ts'

function items(isMac: boolean, isPackaged: boolean) {
  const commands: string[] = []
  const links: string[] = []
  const run = (command: string) => commands.push(command)
  const openLink = (url: string) => links.push(url)
  const flat = (list: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    list.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])
  const all = flat(menuTemplate({ isMac, isPackaged, run, openLink }))
  return { all, commands, links }
}

/** Electron passes the item, the window and the event. Our handlers use none of them. */
function click(item: MenuItemConstructorOptions): void {
  Reflect.apply(item.click ?? (() => undefined), undefined, [])
}

it('every item that sends a command sends one that the page knows', () => {
  const { all, commands } = items(false, true)
  for (const item of all.filter(({ id }) => id !== undefined)) click(item)
  const known = COMMANDS.map((command) => command.id)
  expect(commands.length).toBeGreaterThan(10)
  expect(commands.filter((command) => !known.includes(command))).toEqual([])
  expect(new Set(commands).size).toBe(commands.length)
})

it('an accelerator of the menu is a key of the same command in the page', () => {
  const { all } = items(false, true)
  for (const { id, accelerator } of all.filter((item) => item.accelerator !== undefined)) {
    const key = String(accelerator).replace('CmdOrCtrl+', 'mod+').toLowerCase()
    const command = COMMANDS.find((one) => one.id === id)
    expect(command?.keys, id).toContain(key)
  }
})

it('help links are on the allow-list', () => {
  const { all, links } = items(false, true)
  for (const item of all.filter(({ id }) => id === undefined)) click(item)
  expect(links).toHaveLength(2)
  expect(links.every(isAllowedLink)).toBe(true)
})

it('developer tools and reload are in a clone only', () => {
  const roles = (isPackaged: boolean) => items(false, isPackaged).all.map(({ role }) => role)
  expect(roles(true)).not.toContain('toggleDevTools')
  expect(roles(true)).not.toContain('reload')
  expect(roles(false)).toContain('toggleDevTools')
})

it('macOS has its application menu first and closes windows from File', () => {
  const roles = (isMac: boolean) => items(isMac, true).all.map(({ role }) => role)
  expect(roles(true)[0]).toBe('appMenu')
  expect(roles(true)).toContain('close')
  expect(roles(false)).toContain('quit')
})
