import { useMemo } from 'react'
import { domainNames, looks, resolveTheme } from '../app/selectors.ts'
import { useApp } from '../app/use-store.ts'

/** Appearance of a domain in the theme in force. */
export interface Look {
  readonly code: string
  readonly color: string
  readonly on: string
}

/** Colours and code of a domain by its name. */
export function useLook(): (name: string) => Look {
  const names = useApp(domainNames)
  const theme = useApp((state) => resolveTheme(state.view.theme, state.view.systemDark))
  return useMemo(() => {
    const styles = looks(names)
    return (name) => {
      const style = styles.get(name)
      return { code: style.code, color: style.color[theme], on: style.on[theme] }
    }
  }, [names, theme])
}
