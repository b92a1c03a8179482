import { valueOf } from '../../app/async-data.ts'
import { resolveTheme } from '../../app/selectors.ts'
import { stylesOf, useProbe } from '../../stores/probe/store.ts'
import { useApp } from '../../app/use-store.ts'
import { Name } from '../../ui/name.tsx'
import { titleOf } from '../../ui/visible.ts'

/** `#rrggbb` of a collection in the theme in force. */
export function useCollectionColor(): (name: string) => string {
  const styles = useProbe(stylesOf)
  const theme = useApp((state) => resolveTheme(state.view.theme, state.view.systemDark))
  return (name) => styles.get(name)?.color[theme] ?? 'var(--ink3)'
}

/** The code of a collection, in its colour. */
export function CollectionCode({ name }: { readonly name: string }) {
  const styles = useProbe(stylesOf)
  const color = useCollectionColor()
  return (
    <i className="collection-code" aria-hidden style={{ borderColor: color(name) }}>
      {styles.get(name)?.code ?? '·'}
    </i>
  )
}

/** Code and name of a collection, in its colour. */
export function CollectionName({ name }: { readonly name: string }) {
  const title = useProbe(
    (state) => valueOf(state.collections)?.find((one) => one.name === name)?.title,
  )
  return (
    <span className="collection-name" title={titleOf(title ?? name)}>
      <CollectionCode name={name} />
      <Name text={name} bare />
    </span>
  )
}
