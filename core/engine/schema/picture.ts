import { z } from 'zod'
import type { Immutable } from './immutable.ts'
import { Column } from './replay.ts'

/** [U150] The pictures that can be drawn. */
export const PictureKind = z.enum(['timeline', 'transitions', 'budget', 'sessions'])
export type PictureKind = z.infer<typeof PictureKind>

/** Colour theme of the picture. */
export const PictureTheme = z.enum(['light', 'dark'])
export type PictureTheme = z.infer<typeof PictureTheme>

/** First and last turn, from 1, both drawn; momentum is that of the whole session. */
export const TurnRange = z
  .tuple([z.int().min(1), z.int().min(1)])
  .refine(([from, to]) => from <= to, 'the last turn stands before the first')
export type TurnRange = Immutable<z.infer<typeof TurnRange>>

/** A drawn picture. The same facts give the same text, unit for unit. */
export const Picture = z.object({
  kind: PictureKind,
  theme: PictureTheme,
  svg: z.string(),
  /** In units of the drawing, which are pixels at its natural size. */
  width: z.number(),
  height: z.number(),
  title: z.string(),
  /** Text alternative for users who cannot see the picture. */
  told: z.string(),
})
export type Picture = Immutable<z.infer<typeof Picture>>

/** [U153] Turns by the domain from their text alone and the domain held under momentum. */
export const TransitionMap = z.object({
  /** Domains that occur, most often held first; cells number them. */
  domains: z.array(z.string()),
  cells: z.array(
    z.object({
      alone: z.int(),
      held: z.int(),
      /** Turns, from 0, in their order; not all of a cell that has very many, `count` has. */
      turns: Column,
      count: z.int(),
    }),
  ),
  /** Turns in all. */
  turns: z.int(),
})
export type TransitionMap = Immutable<z.infer<typeof TransitionMap>>

/** [U155] One session as a strip of bins, bounded for any size of session. */
export const SessionStrip = z.object({
  title: z.string(),
  turns: z.int(),
  breaks: z.int(),
  /** Names that `held` numbers: those of the configuration. */
  domains: z.array(z.string()).readonly(),
  bins: z.int(),
  /** Triples (bin, domain, turns), in their order. */
  held: Column,
  /** Flips of each bin, by cause; empty without a comparison. */
  direct: Column,
  carried: Column,
})
export type SessionStrip = Immutable<z.infer<typeof SessionStrip>>
