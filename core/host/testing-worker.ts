import { parentPort } from 'node:worker_threads'
import './worker/main.ts'

// For tests only: the real worker, which ends its thread when it is asked to find this text.
parentPort?.on('message', (message: { readonly p?: { readonly query?: string } }) => {
  if (message.p?.query === 'crash this thread') process.exit(7)
})
