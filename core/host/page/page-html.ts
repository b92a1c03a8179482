import { hash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { escapeMarkup } from '../../engine/markup.ts'
import { toBase85 } from './base85.ts'
import type { PageFiles } from './page-files.ts'
import type { Lack } from './page-request.ts'
import type { PageParts } from './parts.ts'

/** Facts that a page receives at start. */
interface PageFacts {
  readonly version: string
  readonly preset: string
  /** The link that the window opens: session, configuration, turn. */
  readonly link: string
  /** Sentences that describe this file and its omissions. */
  readonly about: readonly string[]
  readonly lacks: readonly Lack[]
}

interface PageContent {
  readonly title: string
  readonly facts: PageFacts
  readonly files: PageFiles
  /** HTML shown until the window starts, and without JavaScript. */
  readonly still: string
}

/** Names of the packed parts, which are the ids of their elements. */
const PACKED = ['host', 'app', 'style', 'files'] as const

/**
 * [R11] One HTML file that opens directly from disk. It makes no requests: its policy allows only its own scripts, by
 * their hash. All untrusted text is packed or escaped.
 */
export function pageHtml(parts: PageParts, { title, facts, files, still }: PageContent): string {
  const packed = { ...parts, files: JSON.stringify(files) }
  // A script element must not contain its own closing tag.
  const boot = parts.boot.replaceAll('</', '<\\/').trim()
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(boot)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="generator" content="Turnscope ${escapeMarkup(facts.version)}">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<div id="root">${still}</div>
<script type="application/json" id="facts">${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>
${PACKED.map((id) => `<script type="text/plain" id="${id}">${pack(id, packed[id])}</script>`).join('\n')}
<script>${boot}</script>
</body>
</html>
`
}

function policy(boot: string): string {
  const own = hash('sha256', boot, 'base64')
  return [
    "default-src 'none'",
    `script-src 'sha256-${own}' blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** The files are base64, which every reader of a page knows; the program takes less room. */
function pack(id: (typeof PACKED)[number], text: string): string {
  const bytes = deflateRawSync(Buffer.from(text), { level: 9 })
  return id === 'files' ? bytes.toString('base64') : toBase85(bytes)
}

/** Of the view without JavaScript; the window brings its own. */
const STYLE = `.still{font:15px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText;max-width:70rem;margin:0 auto;padding:2rem 1rem}
.still table{border-collapse:collapse;width:100%}
.still th,.still td{text-align:start;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid color-mix(in srgb,CanvasText 15%,Canvas)}
.still td:last-child{white-space:pre-wrap;overflow-wrap:anywhere}
.still .num{font-variant-numeric:tabular-nums}`
