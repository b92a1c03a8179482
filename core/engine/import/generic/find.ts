import { isList, isObject, own, textAt } from '../shared/guards.ts'

/** Levels of objects and lists that are looked into for a conversation. */
const DEEPEST = 6
/** Members of one object and items of one list that are looked at before anything was found. */
const WIDEST = 200
/** A longer "name" is a text. */
const LONGEST_NAME = 80

const WHO = ['role', 'from', 'speaker', 'sender', 'author'] as const
const WORDS = ['content', 'text', 'value', 'message'] as const
const QUESTION = ['question', 'prompt', 'query'] as const
const ANSWER = ['answer', 'response', 'completion'] as const

type Field = (typeof WHO | typeof WORDS | typeof QUESTION | typeof ANSWER)[number]

/** Which fields of an item were taken for what. */
export type Shape =
  | { readonly kind: 'turn'; readonly who: Field; readonly words: Field }
  | { readonly kind: 'pair'; readonly question: Field; readonly answer: Field }

function fieldOf(value: unknown, names: readonly Field[]): Field | null {
  return names.find((name) => typeof own(value, name) === 'string') ?? null
}

/** [I80] What an item of a conversation is; null where it is none. */
export function shapeOf(value: unknown): Shape | null {
  if (!isObject(value)) return null
  const who = fieldOf(value, WHO)
  const words = WORDS.find((name) => {
    const said = own(value, name)
    return typeof said === 'string' || (isList(said) && said.some(isPiece))
  })
  if (who !== null && words !== undefined && isName(textAt(value, who)))
    return { kind: 'turn', who, words }
  const [question, answer] = [fieldOf(value, QUESTION), fieldOf(value, ANSWER)]
  return question !== null && answer !== null ? { kind: 'pair', question, answer } : null
}

/** A part of a message's content, as the APIs write it. */
function isPiece(value: unknown): boolean {
  return typeof value === 'string' || textAt(value, 'type', 'text') !== null
}

function isName(name: string | null): boolean {
  return (
    name !== null && name.length <= LONGEST_NAME && /\p{L}/u.test(name) && !/[\n/\\]/u.test(name)
  )
}

/** A list of a value that holds a conversation, with the path of names to it. */
export interface FoundList {
  readonly path: string
  readonly items: readonly unknown[]
  /** The object that has the list, for its id and title. */
  readonly around: unknown
}

/** [I80] All conversations in a value, in order; what lies inside of one is a part of it. */
export function findLists(value: unknown): readonly FoundList[] {
  const found: FoundList[] = []
  const visit = (here: unknown, path: string, around: unknown, depth: number): void => {
    if (depth > DEEPEST) return
    if (isList(here)) {
      if (here.slice(0, WIDEST).some((item) => shapeOf(item) !== null))
        found.push({ path, items: here, around })
      else for (const item of here.slice(0, WIDEST)) visit(item, path, item, depth + 1)
    } else if (isObject(here)) {
      for (const [name, member] of Object.entries(here).slice(0, WIDEST)) {
        const next = path === '' ? name : `${path}.${name}`
        if (typeof member === 'object') visit(member, next, here, depth + 1)
      }
    }
  }
  visit(value, '', value, 0)
  return found
}
