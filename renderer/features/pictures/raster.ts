import type { Picture } from '../../../core/engine/schema/picture.ts'

/** Pixels for a unit of the drawing, as on the command line. */
const SCALE = 2
const FAMILY = 'Inter Variable'

/** An address of an image that the page's policy allows: no bytes from outside, no script in it. */
export function imageOf(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
}

/** Style rules of the page's own sheets. Sheets from other origins cannot be read and are skipped. */
function rules(): readonly CSSRule[] {
  return [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules]
    } catch {
      return []
    }
  })
}

/** Of a font that the host of this page served with it; no other address is asked. */
async function base64(url: string): Promise<string> {
  if (new URL(url).origin !== location.origin) throw new Error('this font is not the page’s own')
  const answer = await fetch(url)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The font of the page as rules that hold it: an image sees no sheet and no font of its page. */
async function fontRules(): Promise<string> {
  const faces = rules().filter(
    (rule): rule is CSSFontFaceRule =>
      rule instanceof CSSFontFaceRule &&
      rule.style.getPropertyValue('font-family').includes(FAMILY),
  )
  const written = faces.map(async ({ style }) => {
    const source = style.getPropertyValue('src')
    const [, url = ''] = /url\(["']?([^"')]+)/u.exec(source) ?? []
    const held = url.startsWith('data:')
      ? url
      : `data:font/woff2;base64,${await base64(new URL(url, sheetBase()).href)}`
    const range = style.getPropertyValue('unicode-range')
    return `@font-face{font-family:'${FAMILY}';font-weight:100 900;src:url(${held}) format('woff2');unicode-range:${range || 'U+0-10FFFF'}}`
  })
  return (await Promise.all(written)).join('')
}

/** Base URL of the style sheet, to which its addresses are relative. */
function sheetBase(): string {
  const found = [...document.styleSheets].find(({ href }) => href !== null)
  return found?.href ?? document.baseURI
}

let fonts: Promise<string> | null = null

/** The drawing with its font embedded. Without the font, the machine's fonts are used. */
export async function withFonts(svg: string): Promise<string> {
  fonts ??= fontRules().catch(() => '')
  const style = await fonts
  return style === '' ? svg : svg.replace('<title>', `<style>${style}</style><title>`)
}

/** [U157] The drawing as PNG, twice its size. */
export async function pngOf({ svg, width, height }: Picture): Promise<Blob> {
  const image = new Image(width * SCALE, height * SCALE)
  image.src = imageOf(await withFonts(svg))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = height * SCALE
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob)
      else reject(new Error('the browser makes no PNG of it'))
    }, 'image/png')
  })
}
