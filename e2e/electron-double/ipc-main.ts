import { EventEmitter } from 'node:events'
import { strict } from './strict.ts'

const emitter = new EventEmitter()

/** One-way messages only; `handle` is not modelled because the app has no second way in. */
export const ipcMain = strict('ipcMain', {
  on: (channel: string, listener: (...args: readonly unknown[]) => void) => {
    emitter.on(channel, listener)
  },
  off: (channel: string, listener: (...args: readonly unknown[]) => void) => {
    emitter.off(channel, listener)
  },
  emit: (channel: string, ...args: readonly unknown[]) => emitter.emit(channel, ...args),
  eventNames: () => emitter.eventNames().map(String),
})
