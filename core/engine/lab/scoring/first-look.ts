/** Told of an answer whose turns before `until` are decided; true = that was enough. */
export type OnPart<T> = (part: T, until: number) => boolean

/** Turns after which somebody looks first; then after twice as many, and so on. */
const FIRST_LOOK = 4096

/** When it is time to look at an answer that is not complete, until what is there is enough. */
export interface FirstLook<T> {
  readonly due: (until: number) => boolean
  readonly look: (part: T, until: number) => void
}

/** [L106] Looks double in size, so that looking never costs more than the whole answer does. */
export function createFirstLook<T>(onPart: OnPart<T>): FirstLook<T> {
  let next = FIRST_LOOK
  return {
    due: (until) => until >= next,
    look: (part, until) => {
      next = onPart(part, until) ? Infinity : Math.max(next, until) * 2
    },
  }
}
