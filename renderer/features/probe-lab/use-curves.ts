import { useEffect, useState } from 'react'
import type { ThresholdPoint } from '../../../core/engine/schema/probe.ts'
import { host } from '../../app/host.ts'

/** Points by collection. */
export type Curves = ReadonlyMap<string, readonly ThresholdPoint[]>

interface Asked {
  readonly queries: string
  readonly embedder: string | null
  readonly preset: string
}

const NONE: Curves = new Map()

/** Curves of several collections, each seen alone; one that fails is left out, the chosen one says why. */
export function useCurves(asked: Asked | null, collections: readonly string[]): Curves {
  const key = asked && JSON.stringify([asked, collections])
  const [known, setKnown] = useState<{ readonly key: string; readonly curves: Curves } | null>(null)
  useEffect(() => {
    if (key === null) return undefined
    const [question, names] = JSON.parse(key) as [Asked, string[]] // written three lines above
    const stops = names.map((collection) =>
      host().subscribe(
        'probe.curve',
        { ...question, collection },
        {
          next: (message) => {
            if (message.kind !== 'curve') return
            setKnown((now) => {
              const before = now?.key === key ? now.curves : NONE
              return { key, curves: new Map([...before, [collection, message.points]]) }
            })
          },
          error: () => undefined,
        },
      ),
    )
    return () => {
      for (const stop of stops) stop()
    }
  }, [key])
  return known?.key === key ? known.curves : NONE
}
