import { escapeMarkup } from '../markup.ts'

/** Attributes of an element. Numbers are written with at most two decimals. */
export type Attributes = Readonly<Record<string, string | number>>

/** A piece of a drawing, written out. Made by the functions here alone, so that every text is escaped. */
export type Drawn = string & { readonly drawn: unique symbol }

/** At most two decimals, never `-0` and never an exponent: equal drawings are equal texts. */
export function decimal(value: number): string {
  const rounded = Math.round(value * 100) / 100
  return String(Object.is(rounded, -0) ? 0 : rounded)
}

function attribute([name, value]: readonly [string, string | number]): string {
  return ` ${name}="${typeof value === 'number' ? decimal(value) : escapeMarkup(value)}"`
}

/** An element around others. */
export function group(
  name: string,
  attributes: Attributes,
  children: ReadonlyArray<Drawn | null>,
): Drawn {
  const inside = children.filter((child) => child !== null).join('')
  const head = `<${name}${Object.entries(attributes).map(attribute).join('')}`
  return (inside === '' ? `${head}/>` : `${head}>${inside}</${name}>`) as Drawn
}

/** An element without others in it. */
export function shape(name: string, attributes: Attributes): Drawn {
  return group(name, attributes, [])
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function rect({ x, y, width, height }: Box, attributes: Attributes): Drawn {
  return shape('rect', { x, y, width, height, ...attributes })
}

export function line(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  attributes: Attributes,
): Drawn {
  return shape('line', { x1, y1, x2, y2, ...attributes })
}

/** A path of absolute points; `close` joins the last with the first. */
export function polygon(
  points: ReadonlyArray<readonly [number, number]>,
  attributes: Attributes,
): Drawn {
  return shape('polygon', {
    points: points.map(([x, y]) => `${decimal(x)},${decimal(y)}`).join(' '),
    ...attributes,
  })
}

/** A line of text at its baseline; the words are escaped here. */
export function words(
  [x, y]: readonly [number, number],
  text: string,
  attributes: Attributes = {},
): Drawn {
  return group('text', { x, y, ...attributes }, [escapeMarkup(text) as Drawn])
}

/** Text of an element that draws nothing: title and description. */
export function told(name: 'title' | 'desc', text: string): Drawn {
  return group(name, {}, [escapeMarkup(text) as Drawn])
}
