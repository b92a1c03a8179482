import { useEffect, useState } from 'react'
import type { ThresholdPoint } from '../../../core/engine/schema/probe.ts'
import { createAsking } from '../../app/asking.ts'
import { stream } from '../../app/question.ts'
import { LAB } from '../../views/lab/studied.tsx'

/** Points by collection. */
export type Curves = ReadonlyMap<string, readonly ThresholdPoint[]>

interface About {
  readonly queries: string
  readonly embedder: string | null
  readonly preset: string
}

const NONE: Curves = new Map()

/** Curves of several collections, each seen alone; one that fails is left out, the chosen one says why. */
export function useCurves(about: About | null, collections: readonly string[]): Curves {
  const key = about && JSON.stringify([about, collections])
  const [known, setKnown] = useState<{ readonly key: string; readonly curves: Curves } | null>(null)
  useEffect(() => {
    if (key === null) return undefined
    const [question, names] = JSON.parse(key) as [About, string[]] // written above
    const asking = createAsking()
    for (const collection of names)
      void asking.once(stream('probe.curve', { ...question, collection }, LAB), {
        answer: ({ points }) =>
          setKnown((now) => {
            const before = now?.key === key ? now.curves : NONE
            return { key, curves: new Map([...before, [collection, points]]) }
          }),
      })
    return asking.stop
  }, [key])
  return known?.key === key ? known.curves : NONE
}
