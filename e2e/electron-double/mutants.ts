import type { CheckName } from './checks.ts'

/** A change of the built files that has to be noticed: by a check, or by the double itself at start. */
export interface Mutant {
  readonly title: string
  readonly file: 'main/main.cjs' | 'preload/preload.cjs'
  readonly from: string
  readonly to: string
  /** The check that fails, or a piece of the error with which the start fails. */
  readonly caughtBy: { readonly check: CheckName } | { readonly start: string }
}

export const MUTANTS: readonly Mutant[] = [
  {
    title: 'no navigation guard',
    file: 'main/main.cjs',
    from: 'if (!details.isMainFrame || !isOwnPage(details.url)) details.preventDefault();',
    to: '',
    caughtBy: {
      check: 'stays on its page: navigations, frames, redirects and webviews are denied',
    },
  },
  {
    title: 'window.open allowed',
    file: 'main/main.cjs',
    from: 'action: "deny"',
    to: 'action: "allow"',
    caughtBy: { check: 'opens no window; allow-listed links go to the browser of the person' },
  },
  {
    title: 'any link opened externally',
    file: 'main/main.cjs',
    from: 'if (isAllowedLink(url)) shell.openExternal(url);',
    to: 'shell.openExternal(url);',
    caughtBy: { check: 'opens no window; allow-listed links go to the browser of the person' },
  },
  {
    title: 'CSP with unsafe-inline',
    file: 'main/main.cjs',
    from: `script-src 'self'`,
    to: `script-src 'self' 'unsafe-inline'`,
    caughtBy: {
      check: 'serves its files and nothing else, with a CSP header that Chromium enforces',
    },
  },
  {
    title: 'preload requires fs',
    file: 'preload/preload.cjs',
    from: 'let electron = require("electron");',
    to: 'let electron = require("electron"); require("fs");',
    caughtBy: { check: 'gives the page one frozen pipe and nothing of Node' },
  },
  {
    title: 'preload exposes ipcRenderer',
    file: 'preload/preload.cjs',
    from: 'pathForFile:',
    to: 'raw: electron.ipcRenderer.send, pathForFile:',
    caughtBy: { check: 'gives the page one frozen pipe and nothing of Node' },
  },
  {
    title: 'preload speaks on another channel',
    file: 'preload/preload.cjs',
    from: '"turnscope:rpc"',
    to: '"turnscope:other"',
    caughtBy: { check: 'answers a call' },
  },
  {
    title: 'sender not checked',
    file: 'main/main.cjs',
    from: 'if (!isTrustedSender(event, options)) return;',
    to: '',
    caughtBy: { check: 'hears no other window, frame or origin' },
  },
  {
    title: 'a load does not close the port',
    file: 'main/main.cjs',
    from: 'contents.on("did-navigate", closeCurrent);',
    to: '',
    caughtBy: { check: 'closes what was open when the page loads again, and works again' },
  },
  {
    title: 'permissions granted',
    file: 'main/main.cjs',
    from: 'setDevicePermissionHandler(() => false)',
    to: 'setDevicePermissionHandler(() => true)',
    caughtBy: { check: 'grants no permission but writing text to the clipboard' },
  },
  {
    title: 'nodeIntegration on',
    file: 'main/main.cjs',
    from: 'nodeIntegration: false',
    to: 'nodeIntegration: true',
    caughtBy: { start: 'webPreferences.nodeIntegration has to be false' },
  },
  {
    title: 'no sandbox',
    file: 'main/main.cjs',
    from: 'electron.app.enableSandbox();',
    to: '',
    caughtBy: { start: 'app.enableSandbox() was not called' },
  },
  {
    title: 'an API that the double does not model',
    file: 'main/main.cjs',
    from: 'electron.app.enableSandbox();',
    to: 'electron.app.enableSandbox(); electron.clipboard.readText();',
    caughtBy: { start: 'electron.clipboard is not modelled' },
  },
]
