let saying: Promise<void> = Promise.resolve()

/** Says something that has to be looked up first, behind what is being said. */
export function sayLater(say: () => Promise<void>): void {
  saying = saying.then(say)
}

/** Over when all of it is said: a command ends behind it. */
export const allSaid = (): Promise<void> => saying
