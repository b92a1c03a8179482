import type { Random } from './random.ts'

/** A change of a file's bytes. */
export type Mutation = (bytes: Buffer, random: Random) => Buffer
