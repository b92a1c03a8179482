import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { CHANNEL } from './channel.ts'

/**
 * The sandboxed page's only way out: one opaque pipe. `ipcRenderer` and the IPC event never reach
 * the page; `pathForFile` is the path of a dropped file, '' when it is not one on disk.
 */
contextBridge.exposeInMainWorld('turnscope', {
  post: (message: unknown) => ipcRenderer.send(CHANNEL, message),
  onMessage: (listener: (message: unknown) => void) => {
    ipcRenderer.on(CHANNEL, (_event, message: unknown) => listener(message))
  },
  pathForFile: (file: File) => webUtils.getPathForFile(file),
})
