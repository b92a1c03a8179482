// The only script that stands readable in an exported page: it unpacks the others, starts the host in a
// worker, and gives the application the same pipe that the desktop shell gives it.

interface Facts {
  readonly version: string
  readonly session: string
  readonly preset: string
}

async function unpacked(id: string): Promise<string> {
  const text = document.getElementById(id)?.textContent ?? ''
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return await new Response(stream).text()
}

const script = (text: string) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))

async function start(): Promise<void> {
  // What our own exporter wrote into this file.
  const facts = JSON.parse(document.getElementById('facts')?.textContent ?? '{}') as Facts
  const [host, app, style, files] = await Promise.all(
    ['host', 'app', 'style', 'files'].map(unpacked),
  )
  const worker = new Worker(script(host ?? ''))
  const listeners: Array<(message: unknown) => void> = []
  await new Promise<void>((resolve) => {
    worker.onmessage = ({ data }) => {
      if (data === 'ready') resolve()
      else for (const listener of listeners) listener(data)
    }
    worker.onerror = (event) => console.error(event.message, event.filename, event.lineno)
    worker.postMessage({ ...facts, files: JSON.parse(files ?? '{}') as object })
  })
  Object.assign(window, {
    turnscope: {
      post: (message: unknown) => worker.postMessage(message),
      onMessage: (listener: (message: unknown) => void) => listeners.push(listener),
      pathForFile: () => '',
    },
  })
  const sheet = document.createElement('style')
  sheet.textContent = style ?? ''
  document.head.append(sheet)
  const element = document.createElement('script')
  element.src = script(app ?? '')
  document.body.append(element)
}

void start()
