import type { Tone } from './parts.tsx'

/** Display text of one of several values: short words, their meaning, and their severity. */
export const told = (words: string, about: string, tone: Tone = 'plain') => ({ words, about, tone })

export type Words<Name extends string> = Readonly<Record<Name, ReturnType<typeof told>>>
