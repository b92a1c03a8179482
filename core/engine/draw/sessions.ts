import type { Picture, SessionStrip } from '../schema/picture.ts'
import { type About, framed, INNER, MARGIN, paperOf, TOP } from './frame.ts'
import { type KeyEntry, keyOf } from './key.ts'
import { type Look, looksOf, NONE } from './looks.ts'
import type { Paper } from './paper.ts'
import { bySize } from './scale.ts'
import { type Box, type Drawn, group, rect, words } from './svg.ts'
import { figure, fitted, many, percent } from './text.ts'

export interface SessionsFacts extends About {
  readonly strips: readonly SessionStrip[]
  /** Files that could not be read. */
  readonly unread: number
  /** Files that were not looked at, because there are too many. */
  readonly left: number
}

/** [U152] Maximum number of sessions. The rest is only counted. */
const MOST_SESSIONS = 60
const MOST_KEYS = 14
const ACROSS = 3
const GAP = 26
/** Collective name of a column's rarest domains. */
const REST = 'others'
const STRIP = 24
const FLIPS = 12

interface Scene {
  readonly paper: Paper
  readonly look: (name: string) => Look
  readonly isCompared: boolean
  readonly width: number
}

const sum = (column: readonly number[]): number => column.reduce((total, each) => total + each, 0)
const flipsOf = ({ direct, carried }: SessionStrip): number => sum(direct) + sum(carried)

interface Run {
  readonly place: number
  readonly from: number
  readonly to: number
  /** From the top, as shares of the height. */
  readonly top: number
  readonly share: number
}

/** Columns that are all of one domain run together. */
function runsOf({ held, bins }: SessionStrip): readonly Run[] {
  const perBin = Array.from({ length: bins }, (): Array<readonly [number, number]> => [])
  for (let at = 0; at < held.length; at += 3)
    perBin[held[at] ?? 0]?.push([held[at + 1] ?? NONE, held[at + 2] ?? 0])
  const runs: Run[] = []
  for (const [bin, parts] of perBin.entries()) {
    const all = sum(parts.map(([, count]) => count))
    let top = 0
    for (const [place, count] of parts) {
      const share = count / all
      const last = runs.at(-1)
      if (share === 1 && last?.place === place && last.share === 1)
        runs[runs.length - 1] = { ...last, to: bin + 1 }
      else runs.push({ place, from: bin, to: bin + 1, top, share })
      top += share
    }
  }
  return runs
}

function stripe({ look, width }: Scene, strip: SessionStrip, [x, y]: readonly [number, number]) {
  const step = width / Math.max(1, strip.bins)
  return runsOf(strip).flatMap(({ place, from, to, top, share }) => {
    const { color, on, code } = look(strip.domains[place] ?? REST)
    const box: Box = {
      x: x + from * step,
      width: (to - from) * step,
      y: y + top * STRIP,
      height: share * STRIP,
    }
    const isWide = box.width >= 19 && share === 1
    return [
      rect(box, { fill: color }),
      ...(isWide
        ? [
            words([box.x + box.width / 2, y + 16], code, {
              'font-size': 10,
              'text-anchor': 'middle',
              fill: on,
            }),
          ]
        : []),
    ]
  })
}

/** Flips under the strip: direct ones solid, carried ones hollow above them. */
function flips({ paper, width }: Scene, strip: SessionStrip, [x, y]: readonly [number, number]) {
  const step = width / Math.max(1, strip.bins)
  const per = Math.max(1, strip.turns / Math.max(1, strip.bins))
  return strip.direct.flatMap((direct, bin) => {
    const carried = strip.carried[bin] ?? 0
    const high = (count: number) =>
      count === 0 ? 0 : Math.min(FLIPS, Math.max(2.5, (count / per) * FLIPS))
    const bar = (from: number, height: number, fill: string) =>
      rect({ x: x + bin * step, y: y + from, width: Math.max(1.25, step - 0.5), height }, { fill })
    return [
      ...(direct === 0 ? [] : [bar(0, high(direct), paper.ink2)]),
      ...(carried === 0 ? [] : [bar(high(direct), high(carried), paper.paper)]),
    ]
  })
}

function caption(strip: SessionStrip, isCompared: boolean): string {
  const { turns, breaks } = strip
  const flipped = flipsOf(strip)
  const more = isCompared
    ? `${many(flipped, 'flip')}${flipped === 0 ? '' : `, ${figure(sum(strip.direct))} direct`}`
    : many(breaks, 'break')
  return `n = ${figure(turns)} · ${more}`
}

function panel(scene: Scene, strip: SessionStrip, [x, y]: readonly [number, number]): Drawn {
  const { paper, width, isCompared } = scene
  const said = caption(strip, isCompared)
  const under = y + 18 + STRIP + 3
  return group('g', {}, [
    words([x, y + 10], fitted(strip.title || 'without a title', width, 11), { 'font-size': 11 }),
    rect({ x, y: y + 18, width, height: STRIP }, { fill: paper.soft }),
    ...stripe(scene, strip, [x, y + 18]),
    isCompared
      ? group('g', { stroke: paper.ink2, 'stroke-width': 0.6 }, flips(scene, strip, [x, under]))
      : null,
    words([x, under + (isCompared ? FLIPS : 0) + 12], said, {
      'font-size': 10,
      fill: paper.ink3,
    }),
  ])
}

/** Key entries for the drawn domains, most often held first. */
function domainKeys(strips: readonly SessionStrip[], { look, paper }: Scene): readonly KeyEntry[] {
  const counts = new Map<number, number>()
  for (const { held } of strips)
    for (let at = 0; at < held.length; at += 3) {
      const place = held[at + 1] ?? NONE
      counts.set(place, (counts.get(place) ?? 0) + (held[at + 2] ?? 0))
    }
  const names = bySize(counts).map((place) => strips[0]?.domains[place] ?? REST)
  const entries = names.slice(0, MOST_KEYS).map((name): KeyEntry => {
    const { code, color, on, name: shown } = look(name)
    const sign = (x: number, y: number) =>
      group('g', {}, [
        rect({ x, y: y - 7, width: 22, height: 14 }, { rx: 2, fill: color }),
        words([x + 11, y + 3.5], code, { 'font-size': 9.5, 'text-anchor': 'middle', fill: on }),
      ])
    return { width: 22, sign, text: fitted(shown, 150, 11) }
  })
  const more = names.length - MOST_KEYS
  const none = (x: number, y: number) => words([x, y + 4], '', { fill: paper.ink3 })
  return more > 0 ? [...entries, { width: 0, sign: none, text: `and ${more} more` }] : entries
}

function flipKeys({ paper }: Scene): readonly KeyEntry[] {
  const bar = (fill: string) => (x: number, y: number) =>
    rect({ x, y: y - 6, width: 7, height: 12 }, { fill, stroke: paper.ink2 })
  return [
    { width: 7, sign: bar(paper.ink2), text: 'flip, direct' },
    { width: 7, sign: bar(paper.paper), text: 'flip, carried by momentum' },
  ]
}

function toldOf(strips: readonly SessionStrip[], isCompared: boolean): string {
  const turns = sum(strips.map((strip) => strip.turns))
  const flipped = sum(strips.map(flipsOf))
  const touched = strips.filter((strip) => flipsOf(strip) > 0).length
  const all = `${many(strips.length, 'session')} with ${many(turns, 'turn')}.`
  return isCompared
    ? `${all} ${many(flipped, 'turn')} flip (${percent(flipped, turns)}), in ${many(touched, 'session')}.`
    : all
}

/** [U155] Small multiples of sessions: the held domains, and where the other side decides differently. */
export function drawSessions(facts: SessionsFacts): Picture {
  const { strips, against, unread } = facts
  const isCompared = against !== null
  const sorted = isCompared ? strips.toSorted((a, b) => flipsOf(b) - flipsOf(a)) : strips
  const shown = sorted.slice(0, MOST_SESSIONS)
  const scene: Scene = {
    paper: paperOf(facts),
    isCompared,
    width: (INNER - (ACROSS - 1) * GAP) / ACROSS,
    look: looksOf(strips[0]?.domains ?? [], facts.theme),
  }
  const high = isCompared ? 88 : 72
  const body = shown.map((strip, index) => {
    const x = MARGIN + (index % ACROSS) * (scene.width + GAP)
    return panel(scene, strip, [x, TOP + Math.floor(index / ACROSS) * high])
  })
  const end = TOP + Math.ceil(shown.length / ACROSS) * high
  const key = keyOf([...domainKeys(shown, scene), ...(isCompared ? flipKeys(scene) : [])], {
    x: MARGIN,
    y: end + 8,
    width: INNER,
    fill: scene.paper.ink2,
  })
  const turns = sum(strips.map((strip) => strip.turns))
  const flipped = sum(strips.map(flipsOf))
  const more = sorted.length - shown.length
  return framed(facts, {
    kind: 'sessions',
    heading: 'Sessions',
    bottom: key.bottom,
    lead: `What was held from each session’s beginning to its end${isCompared ? ', most flips first' : ''}; all strips are equally wide`,
    body: [...body, key.drawn],
    facts: [
      `n = ${many(turns, 'turn')} in ${many(strips.length, 'session')}`,
      ...(isCompared ? [`${many(flipped, 'flip')} (${percent(flipped, turns)})`] : []),
      ...(more > 0 ? [`${many(more, 'more session')} not drawn`] : []),
      ...(facts.left > 0 ? [`${many(facts.left, 'more file')} not looked at`] : []),
      ...(unread > 0 ? [`${many(unread, 'file')} could not be read`] : []),
    ],
    told: toldOf(strips, isCompared),
  })
}
