import './globals.ts'
import { createHost } from '../core/host/main/host.ts'
import { putFile } from './node/volume.ts'

// The host of an exported page, in a worker of that page: the same main process, session thread and lab
// thread as everywhere else, over the files that came with the page.

interface Start {
  readonly version: string
  readonly preset: string
  /** Path → text as JSON: the session, and the files that it is replayed with. */
  readonly files: string
}

declare const self: {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: unknown): void
}

self.onmessage = (event) => {
  // Written by the page's own script, which is one file with this one.
  const { version, preset, files } = event.data as Start
  const text = new TextEncoder()
  // Our own exporter wrote it.
  const contents = JSON.parse(files) as Readonly<Record<string, string>>
  for (const [path, content] of Object.entries(contents)) putFile(path, text.encode(content), 0)
  const host = createHost({
    ...{ workspace: '/workspace', shipped: '/shipped', stateDir: '/state', mode: 'page' },
    sessionUrl: new URL('page:session'),
    labUrl: new URL('page:lab'),
    probeUrl: new URL('page:probe'),
    ...{ version, preset, env: {}, workers: 1, home: '/home', isOwnWorkspace: true },
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
