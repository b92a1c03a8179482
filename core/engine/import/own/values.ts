import type { MapPath, PathStep } from '../../schema/map-path.ts'
import { has, isList, isObject } from '../shared/guards.ts'

/** A value with its location: the enclosing value, and its key or index there. */
export interface Spot {
  readonly value: unknown
  readonly around: Spot | null
  readonly key: string | number | null
}

/** [I141] Remaining number of values that all paths together may visit in one line, item or document. */
export interface Budget {
  left: number
}

/**
 * [I141] So many values for each line, item or document, and so many more for each of its records: the
 * work grows with the file and no faster. A text counts as one for each 64 characters.
 */
export const MOST_WORK = 1_000_000
export const WORK_A_RECORD = 400

export interface Found {
  readonly spots: readonly Spot[]
  /** Why there are none, in words that lead to the right path. */
  readonly why: () => string
  /** The path leads to a list or a text with nothing in it, which is no fault of the path. */
  readonly isEmpty: boolean
}

/** The places that `$` and `@` mean. */
export interface Places {
  readonly root: Spot
  readonly here: Spot
}

const NONE = () => ''

export function rootSpot(value: unknown): Spot {
  return { value, around: null, key: null }
}

/** [I141] All values that a path leads to, in order; fewer if the budget is used up. */
export function valuesAt(path: MapPath, { root, here }: Places, budget: Budget): Found {
  let spots: readonly Spot[] = [path.from === 'root' ? root : here]
  budget.left -= 1
  for (const step of path.steps) {
    const next: Spot[] = []
    for (const spot of spots) {
      if (budget.left <= 0) break
      const before = next.length
      follow(step, spot, next, budget)
      budget.left -= 1 + next.length - before
    }
    const [first] = spots
    if (next.length === 0) {
      const isEmpty = step.kind === 'all' && isList(first?.value) && first.value.length === 0
      return { spots: [], why: () => whyNothing(step, first), isEmpty }
    }
    spots = next
  }
  return { spots, why: NONE, isEmpty: false }
}

/** Adds the targets of a step. */
function follow(step: PathStep, spot: Spot, to: Spot[], budget: Budget): void {
  const { value } = spot
  if (step.kind === 'all') {
    followAll(spot, to, budget)
  } else if (step.kind === 'up') {
    if (spot.around !== null) to.push(spot.around)
  } else if (step.kind === 'name') {
    if (isObject(value) && has(value, step.name))
      to.push({ value: value[step.name], around: spot, key: step.name })
  } else if (isList(value)) {
    const at = step.index < 0 ? value.length + step.index : step.index
    if (at >= 0 && at < value.length) to.push({ value: value[at], around: spot, key: at })
  }
}

function followAll(spot: Spot, to: Spot[], budget: Budget): void {
  const { value } = spot
  if (isList(value)) {
    for (const [key, item] of value.slice(0, budget.left).entries())
      to.push({ value: item, around: spot, key })
  } else if (isObject(value)) {
    const names = Object.keys(value)
    budget.left -= names.length
    for (const key of names.slice(0, Math.max(0, budget.left)))
      to.push({ value: value[key], around: spot, key })
  }
}

const SHOWN_NAMES = 8

/** In words that lead to the right path: which fields there are instead. */
function whyNothing(step: PathStep, spot: Spot | undefined): string {
  const key = spot?.key ?? null
  const it = key === null ? 'it' : `"${short(String(key))}"`
  const value = spot?.value
  if (step.kind === 'up') return 'nothing stands around the line, item or document'
  if (isList(value)) {
    if (step.kind === 'name') return `${it} is a list: write [*] before ".${short(step.name)}"`
    return value.length === 0 ? `${it} is an empty list` : `${it} has ${value.length} entries`
  }
  if (!isObject(value)) return `${it} is ${kindOf(value)}, nothing stands in it`
  const names = Object.keys(value)
  const list = names.slice(0, SHOWN_NAMES).map(short).join(', ')
  const fields =
    names.length === 0
      ? 'it has no fields'
      : `its fields: ${list}${names.length > SHOWN_NAMES ? ', …' : ''}`
  if (step.kind === 'name') return `${it} has no "${short(step.name)}" (${fields})`
  return `${it} is no list (${fields})`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}

function short(name: string): string {
  return name.length > 40 ? `${name.slice(0, 39)}…` : name
}

/** The general path of a place: `$.turns[*].text`. */
export function placeOf(spot: Spot): string {
  const steps: string[] = []
  for (let at: Spot | null = spot; at !== null && at.key !== null; at = at.around)
    steps.push(typeof at.key === 'number' ? '[*]' : nameStep(at.key))
  return `$${steps.reverse().join('')}`
}

const PLAIN = /^[\p{L}\p{N}_-]{1,100}$/u

/** A name as a step of a path. */
export function nameStep(name: string): string {
  if (PLAIN.test(name)) return `.${name}`
  return name.includes("'") ? `["${name}"]` : `['${name}']`
}
