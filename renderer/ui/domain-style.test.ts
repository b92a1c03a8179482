import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectionStyles } from './collection-style.ts'
import { contrastRatio, domainStyle, PALETTE, type ThemeName } from './domain-style.ts'

type Triple = readonly [number, number, number]
const THEMES: readonly ThemeName[] = ['dark', 'light', 'contrast']
const PANEL = { dark: '#151a20', light: '#ffffff', contrast: '#000000' } as const
const LEAST_CONTRAST = { dark: 3, light: 3, contrast: 4.5 } as const

/** Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB. */
const VISION: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

function linear(hex: string): Triple {
  const at = (from: number) => {
    const value = parseInt(hex.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [at(1), at(3), at(5)]
}

function seen(rgb: Triple, vision: string): Triple {
  const rows = VISION[vision]!
  const row = ([r, g, b]: Triple) => Math.min(1, Math.max(0, r * rgb[0] + g * rgb[1] + b * rgb[2]))
  return [row(rows[0]), row(rows[1]), row(rows[2])]
}

function lab([r, g, b]: Triple): Triple {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29)
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const RAD = Math.PI / 180
const hue = (a: number, b: number) => (Math.atan2(b, a) / RAD + 360) % 360

/** CIEDE2000 (Sharma, Wu and Dalal 2005). */
function deltaE([L1, a1, b1]: Triple, [L2, a2, b2]: Triple): number {
  const mean7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7
  const g = 1.5 - 0.5 * Math.sqrt(mean7 / (mean7 + 25 ** 7))
  const c1 = Math.hypot(a1 * g, b1)
  const c2 = Math.hypot(a2 * g, b2)
  const h1 = hue(a1 * g, b1)
  const h2 = hue(a2 * g, b2)
  const grey = c1 * c2 === 0
  const turn = grey ? 0 : ((h2 - h1 + 540) % 360) - 180
  let h = (h1 + h2) / (grey ? 1 : 2)
  if (!grey && Math.abs(h1 - h2) > 180) h += h < 180 ? 180 : -180
  const l = (L1 + L2) / 2
  const c = (c1 + c2) / 2
  const t =
    1 -
    0.17 * Math.cos((h - 30) * RAD) +
    0.24 * Math.cos(2 * h * RAD) +
    0.32 * Math.cos((3 * h + 6) * RAD) -
    0.2 * Math.cos((4 * h - 63) * RAD)
  const dl = (L2 - L1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2))
  const dc = (c2 - c1) / (1 + 0.045 * c)
  const dh = (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * RAD)) / (1 + 0.015 * c * t)
  const rotation =
    -2 *
    Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) *
    Math.sin(60 * Math.exp(-(((h - 275) / 25) ** 2)) * RAD)
  return Math.sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh)
}

describe('CIEDE2000 of this test', () =>
  it('agrees with the published pairs', () => {
    expect(deltaE([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4)
    expect(deltaE([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4)
    expect(deltaE([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 4)
  }))

describe('palette', () => {
  for (const theme of THEMES) {
    it(`${theme}: 12 colours, each far enough from its panel, text on it AA`, () => {
      expect(new Set(PALETTE.map((color) => color[theme])).size).toBe(12)
      for (const style of domainStyle(Array.from({ length: 12 }, (_, at) => `d${at}`)).list) {
        expect(contrastRatio(style.color[theme], PANEL[theme])).toBeGreaterThan(
          LEAST_CONTRAST[theme],
        )
        expect(contrastRatio(style.color[theme], style.on[theme])).toBeGreaterThanOrEqual(4.5)
      }
    })
    for (const vision of Object.keys(VISION))
      it(`${theme}: every pair at least 9 apart with ${vision}`, () => {
        const labs = PALETTE.map((color) => lab(seen(linear(color[theme]), vision)))
        for (const [at, one] of labs.entries())
          for (const other of labs.slice(at + 1))
            expect(deltaE(one, other)).toBeGreaterThanOrEqual(9)
      })
  }
})

const ELEVEN = {
  investigation: 'IN',
  analysis: 'AN',
  bugfix: 'BF',
  coding: 'CO',
  planning: 'PL',
  system_admin: 'SA',
  config_edit: 'CE',
  prompt_engineering: 'PE',
  git_ops: 'GO',
  file_ops: 'FO',
  conversation: 'CV',
}

describe('domainStyle', () => {
  it('gives the eleven of the document their codes, whatever the order', () => {
    const names = Object.keys(ELEVEN)
    for (const order of [names, names.toReversed(), ['x_ray', ...names]]) {
      const styles = domainStyle(order)
      for (const [name, code] of Object.entries(ELEVEN)) {
        expect(styles.get(name).code).toBe(code)
        expect(styles.get(name).color).toEqual(domainStyle([name]).get(name).color)
      }
    }
  })

  it('generates codes from initials, steps aside for taken ones, reads other scripts', () => {
    const styles = domainStyle(['data_science', 'docker', 'dodo', 'insights', '調査', '--'])
    expect(styles.list.map((style) => style.code)).toEqual(['DS', 'DO', 'DD', 'IS', '調査', 'X2'])
  })

  it('gives eleven fixed and one unknown domain twelve different colours', () => {
    const { list } = domainStyle([...Object.keys(ELEVEN), 'extra'])
    expect(new Set(list.map((style) => style.color.dark)).size).toBe(12)
  })

  it('styles a name outside the configuration in grey, with a code of its own', () => {
    const styles = domainStyle(['investigation'])
    expect(styles.get('innovation').code).toBe('IO')
    expect(styles.get('innovation')).toBe(styles.get('innovation'))
    expect(styles.list).toHaveLength(1)
  })

  it('codes are unique and names keep their style when others are appended', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 80 }),
        fc.string({ minLength: 1, maxLength: 8 }),
        (names, more) => {
          const before = domainStyle(names)
          expect(new Set(before.list.map((style) => style.code)).size).toBe(names.length)
          if (more in ELEVEN || names.includes(more)) return
          const after = domainStyle([...names, more])
          for (const style of before.list) expect(after.get(style.name)).toEqual(style)
        },
      ),
    ))
})

describe('[D50] colours of collections', () => {
  const styles = [...collectionStyles(Array.from({ length: 6 }, (_, at) => `c${at}`)).values()]
  for (const theme of THEMES) {
    it(`${theme}: each stands out from its panel`, () => {
      for (const { color } of styles)
        expect(contrastRatio(color[theme], PANEL[theme])).toBeGreaterThan(LEAST_CONTRAST[theme])
    })
    for (const vision of ['normal', 'deuteranopia', 'protanopia'])
      it(`${theme}: far from each other and from every domain with ${vision}`, () => {
        const labOf = (color: string) => lab(seen(linear(color), vision))
        const domains = PALETTE.map((color) => labOf(color[theme]))
        const own = styles.map(({ color }) => labOf(color[theme]))
        for (const [at, one] of own.entries()) {
          for (const domain of domains) expect(deltaE(one, domain)).toBeGreaterThanOrEqual(6.5)
          for (const other of own.slice(at + 1))
            expect(deltaE(one, other)).toBeGreaterThanOrEqual(13)
        }
      })
  }

  it('gives every collection a code of its own, and grey beyond the palette', () => {
    const many = [
      ...collectionStyles(['docs', 'drafts', 'dungeon', 'ü', '調査', 'a', 'b']).values(),
    ]
    expect(many.map(({ code }) => code)).toEqual(['D', 'DR', 'DU', 'Ü', '調', 'A', 'B'])
    expect(many[6]?.color.dark).toBe('#8492a0')
  })
})
