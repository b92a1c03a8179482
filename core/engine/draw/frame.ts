import type { Picture, PictureKind, PictureTheme } from '../schema/picture.ts'
import { FONTS, PAPERS, type Paper } from './paper.ts'
import { type Attributes, type Drawn, group, line, rect, told, words } from './svg.ts'
import { cleaned, fitted, textWidth } from './text.ts'

/** The configuration that decided, named at the foot of every picture. */
export interface Decided {
  readonly preset: string
  readonly domains: string
  readonly profile: string | null
  /** Hash of the compiled rules; null for decisions recorded at run time. */
  readonly hash: string | null
}

/** Input common to all pictures. */
export interface About {
  /** Of the session or the folder; of a stranger. */
  readonly title: string
  readonly theme: PictureTheme
  readonly side: Decided
  /** The other side of the comparison. */
  readonly against: Decided | null
}

/** Width of every picture, and its margin. */
export const WIDTH = 960
export const MARGIN = 28
export const INNER = WIDTH - 2 * MARGIN
/** Top edge of a body. */
export const TOP = 78

const TITLE_SIZE = 18
const FOOT_SIZE = 11
const FOOT_LINE = 16

interface Framed {
  readonly kind: PictureKind
  /** The kind of picture, shown before the title of the session. */
  readonly heading: string
  /** One line that explains how to read the picture. */
  readonly lead: string
  readonly bottom: number
  readonly body: ReadonlyArray<Drawn | null>
  /** `n = 71 turns` and what else belongs beside the configuration. */
  readonly facts: readonly string[]
  /** The same in sentences, for who does not see it. */
  readonly told: string
}

export function paperOf({ theme }: Pick<About, 'theme'>): Paper {
  return PAPERS[theme]
}

/** [U151] Describes the configuration by its display names, never by a path. */
function decidedText({ preset, domains, profile, hash }: Decided): string {
  if (hash === null) return preset
  const more = [
    ...(domains === 'default' ? [] : [`domains ${fitted(domains, 160, FOOT_SIZE)}`]),
    ...(profile === null ? [] : [`profile ${fitted(profile, 160, FOOT_SIZE)}`]),
  ]
  return [`preset ${fitted(preset, 200, FOOT_SIZE)}`, ...more, `configuration ${hash}`].join(' · ')
}

/** [U151] The lines at the foot: the configuration that decided and the counts. */
function footLines({ side, against }: About, facts: readonly string[]): readonly string[] {
  const first = [...facts.slice(0, 1), decidedText(side)].join(' · ')
  const others = [
    ...(against === null ? [] : [`against ${decidedText(against)}`]),
    ...facts.slice(1),
  ]
  const lines: string[] = []
  for (const each of others) {
    const last = lines.at(-1)
    const longer = `${last ?? ''} · ${each}`
    if (last === undefined || textWidth(longer, FOOT_SIZE) > INNER) lines.push(each)
    else lines[lines.length - 1] = longer
  }
  return [first, ...lines].map((each) => fitted(each, INNER, FOOT_SIZE))
}

/** [U150] A whole picture: paper, title, body, and what decided at its foot. */
export function framed(about: About, content: Framed): Picture {
  const paper = paperOf(about)
  const { kind, heading, lead, bottom, body, facts } = content
  const foot = footLines(about, facts)
  const height = Math.ceil(bottom + 30 + foot.length * FOOT_LINE)
  const name = cleaned(about.title) || 'a session without a title'
  const title = `${heading}: ${name}`
  const room = INNER - textWidth(`${heading}  `, TITLE_SIZE)
  const alone = fitted(name, room, TITLE_SIZE)
  const all: Attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: WIDTH,
    height,
    viewBox: `0 0 ${WIDTH} ${height}`,
    role: 'img',
    'font-family': FONTS,
    'font-size': 12,
    fill: paper.ink,
  }
  const svg = group('svg', all, [
    told('title', title),
    told('desc', content.told),
    rect({ x: 0, y: 0, width: WIDTH, height }, { fill: paper.paper }),
    words([MARGIN, 38], alone, { 'font-size': TITLE_SIZE, 'font-weight': 600 }),
    words([WIDTH - MARGIN, 38], heading, { 'text-anchor': 'end', fill: paper.ink3 }),
    words([MARGIN, 58], fitted(lead, INNER, 12), { fill: paper.ink2 }),
    ...body,
    line([MARGIN, bottom + 12], [WIDTH - MARGIN, bottom + 12], { stroke: paper.line }),
    group(
      'g',
      { 'font-size': FOOT_SIZE, fill: paper.ink3 },
      foot.map((text, index) => words([MARGIN, bottom + 30 + index * FOOT_LINE], text)),
    ),
  ])
  const { theme } = about
  return { kind, theme, svg: `${svg}\n`, width: WIDTH, height, title, told: content.told }
}
