import 'react'

declare module 'react' {
  // Custom properties that the style sheets read.
  // oxlint-disable-next-line typescript/no-empty-object-type -- only an interface merges with React's
  interface CSSProperties extends Readonly<Record<`--${string}`, string | number | undefined>> {}
}
