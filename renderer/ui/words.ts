import type { Tone } from './parts.tsx'

/** How people are told one of several values: a few words, what they mean, and how grave it is. */
export const told = (words: string, about: string, tone: Tone = 'plain') => ({ words, about, tone })

export type Words<Name extends string> = Readonly<Record<Name, ReturnType<typeof told>>>
