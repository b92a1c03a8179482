import { type Facts, keepHost } from './keeper.ts'
import { fromBase85 } from '../core/host/page/base85.ts'

// The only script in plain text in an exported page. It unpacks the others, starts the host in a worker, and gives the
// application the same pipe as the desktop shell does.

const script = (text: string) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))

/** Files of the page, with the changes that the host wrote since the page was opened. */
function createFiles(text: string) {
  // Written by our own exporter, into this file.
  const first = JSON.parse(text) as Files
  const changed = new Map<string, string | null>()
  const now = (): Files => {
    const kept = Object.entries(first).filter(([path]) => !changed.has(path))
    const written = [...changed].filter((each): each is [string, string] => each[1] !== null)
    return Object.fromEntries([...kept, ...written])
  }
  return { now, set: (path: string, content: string | null) => void changed.set(path, content) }
}

function say(text: string): void {
  const note = document.createElement('p')
  note.role = 'alert'
  note.textContent = text
  document.getElementById('root')?.prepend(note)
}

async function start(): Promise<void> {
  const still = document.getElementById('root')
  const before = document.documentElement.outerHTML
  const asText = still?.cloneNode(true)
  // Written by our own exporter, into this file.
  const facts = JSON.parse(textOf('facts')) as Facts
  const [host = '', app = '', style = '', text = ''] = await Promise.all(
    ['host', 'app', 'style', 'files'].map(unpacked),
  )
  const files = createFiles(text)
  const sheet = document.createElement('style')
  const pipe = await keepHost({
    facts,
    program: script(host),
    onFile: files.set,
    files: () => JSON.stringify(files.now()),
    onDead: () => {
      sheet.remove()
      if (asText) document.getElementById('root')?.replaceWith(asText)
      say(
        'A pattern did not end on a text of this session, again and again, so the workbench was stopped. The transcript and its decisions follow.',
      )
    },
  })
  const asFile = () => pageWith(before, files.now())
  const { about, lacks } = facts
  Object.assign(window, {
    turnscope: { ...pipe, pathForFile: () => '', isPage: true, about, lacks, asFile },
  })
  // A link with more than the file's own address, such as `#turn=12`, was written by a user, so it is kept.
  if (location.hash.length < 2) history.replaceState(null, '', `#${facts.link}`)
  sheet.textContent = style
  document.head.append(sheet)
  const element = document.createElement('script')
  element.type = 'module'
  element.src = script(app)
  document.body.append(element)
}

// [U127] The page as a file, with the labels and edits made in it.

/** Path → text. */
type Files = Readonly<Record<string, string>>

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? ''
}

async function unpacked(id: string): Promise<string> {
  const text = textOf(id)
  // The files are base64, as other readers of a page expect them; the program takes less room.
  const bytes =
    id === 'files'
      ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
      : fromBase85(text)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return await new Response(stream).text()
}

async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
  const parts: string[] = []
  // Stays below the maximum number of arguments of a call.
  for (let at = 0; at < bytes.length; at += 8192)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return btoa(parts.join(''))
}

const OPENING = '<script type="text/plain" id="files">'

/** @param before content of the page in its file, before the window started */
async function pageWith(before: string, files: Files): Promise<string> {
  const start = before.indexOf(OPENING) + OPENING.length
  const end = before.indexOf('</script>', start)
  return `<!doctype html>\n${before.slice(0, start)}${await packed(JSON.stringify(files))}${before.slice(end)}`
}

start().catch((error: unknown) =>
  say(
    `The workbench in this file could not start (${String(error)}). The transcript and its decisions follow.`,
  ),
)
