// The only script that stands readable in an exported page: it unpacks the others, starts the host in a
// worker, and gives the application the same pipe that the desktop shell gives it.

interface Facts {
  readonly version: string
  readonly preset: string
  readonly link: string
  readonly about: readonly string[]
}

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? ''

async function unpacked(id: string): Promise<string> {
  const bytes = Uint8Array.from(atob(textOf(id)), (letter) => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return await new Response(stream).text()
}

const script = (text: string) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))

type Listener = (message: unknown) => void

/** Starts the host. Resolves to the pipe once it listens. */
function startHost(text: string, facts: Facts, files: string) {
  const worker = new Worker(script(text))
  const listeners: Listener[] = []
  return new Promise<object>((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(`the host did not start: ${event.message}`))
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data !== 'ready') for (const listener of listeners) listener(data)
      else {
        resolve({
          post: (message: unknown) => worker.postMessage(message),
          onMessage: (listener: Listener) => listeners.push(listener),
          pathForFile: () => '',
          isPage: true,
          about: facts.about,
        })
      }
    }
    worker.postMessage({ ...facts, files })
  })
}

async function start(): Promise<void> {
  // Written by our own exporter, into this file.
  const facts = JSON.parse(textOf('facts')) as Facts
  const [host = '', app = '', style = '', files = ''] = await Promise.all(
    ['host', 'app', 'style', 'files'].map(unpacked),
  )
  Object.assign(window, { turnscope: await startHost(host, facts, files) })
  // A link that says more than the file, `#turn=12`, is one that a person wrote.
  if (location.hash.length < 2) history.replaceState(null, '', `#${facts.link}`)
  const sheet = document.createElement('style')
  sheet.textContent = style
  document.head.append(sheet)
  const element = document.createElement('script')
  element.type = 'module'
  element.src = script(app)
  document.body.append(element)
}

start().catch((error: unknown) => {
  const note = document.createElement('p')
  note.role = 'alert'
  note.textContent = `The workbench in this file could not start (${String(error)}). The transcript and its decisions follow.`
  document.getElementById('root')?.prepend(note)
})
