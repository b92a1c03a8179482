import { app } from './app.ts'
import { BrowserWindow } from './browser-window.ts'
import { answerCommands } from './control.ts'
import { ipcMain } from './ipc-main.ts'
import { strict } from './strict.ts'
import {
  dialog,
  Menu,
  nativeTheme,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
} from './system.ts'

/**
 * The main-process module of the electron double. It is no Electron: it models what Turnscope's
 * main process uses, against real Chromium, and throws by name for everything else.
 */
const electron = strict('electron', {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
})

answerCommands()

// Value that `require('electron')` returns in the CommonJS bundle.
export { electron as 'module.exports' }
