import './globals.ts'
import '../core/wire/no-eval.ts'
import { createHost } from '../core/host/entries/host.ts'
import { onWritten, putFile } from './node/volume.ts'

// The host of an exported page, in a worker of that page: the same main process, session thread and lab
// thread as everywhere else, over the files that came with the page.

interface Start {
  readonly version: string
  readonly preset: string
  /** Path → text as JSON: the session, and the files that it is replayed with. */
  readonly files: string
}

declare const self: {
  onmessage:
    ((event: { readonly data: unknown; readonly ports: readonly MessagePort[] }) => void) | null
  postMessage(message: unknown): void
}

self.onmessage = (event) => {
  // Written by the page's own script, which is one file with this one.
  const { version, preset, files } = event.data as Start
  const text = new TextEncoder()
  // Our own exporter wrote it.
  const contents = JSON.parse(files) as Readonly<Record<string, string>>
  for (const [path, content] of Object.entries(contents)) putFile(path, text.encode(content), 0)
  lookAfter(event.ports)
  const host = createHost({
    workspace: '/workspace',
    shipped: '/shipped',
    stateDir: '/state',
    mode: 'page',
    sessionUrl: new URL('page:session'),
    labUrl: new URL('page:lab'),
    probeUrl: new URL('page:probe'),
    // Never started: results are of a machine behind the window.
    resultsUrl: new URL('page:results'),
    version,
    preset,
    env: {},
    workers: 1,
    home: '/home',
    isOwnWorkspace: true,
    say: () => undefined,
  })
  host.mount({
    post: (message) => self.postMessage(message),
    onMessage: (listener) => {
      self.onmessage = ({ data }) => listener(data)
    },
    onClose: () => undefined,
  })
  self.postMessage('ready')
}

/** [U128] Answers a ping, and reports writes, because this worker may be terminated at any time. */
function lookAfter([own]: readonly MessagePort[]): void {
  if (own === undefined) return
  own.onmessage = () => own.postMessage('here')
  onWritten((path, bytes) => {
    if (!path.startsWith('/workspace/')) return
    own.postMessage([path, bytes === null ? null : new TextDecoder().decode(bytes)])
  })
}
