import { useMemo } from 'react'
import type { ResultsCounts } from '../../../core/engine/schema/results.ts'
import { resolveTheme } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import { domainStyle } from '../../ui/domain-style.ts'
import type { Look } from '../../ui/use-look.ts'

/** Colours of the domains of these results, which need not be those of the session behind them. */
export function useLooks({ domains, pairs }: ResultsCounts): (name: string) => Look {
  const theme = useApp((state) => resolveTheme(state.view.theme, state.view.systemDark))
  const names = [
    ...domains.map(({ domain }) => domain),
    ...pairs.flatMap(({ from, to }) => [from, to]),
  ]
  const key = [...new Set(names)].toSorted().join('\n')
  return useMemo(() => {
    const styles = domainStyle(key.split('\n'))
    return (name) => {
      const style = styles.get(name)
      return { code: style.code, color: style.color[theme], on: style.on[theme] }
    }
  }, [key, theme])
}
