type Atom = string | number | boolean | bigint | symbol | null | undefined

/**
 * Data is built once and then only read: the type of a schema's output, deeply readonly. The mapped
 * type keeps arrays arrays and tuples tuples; `unknown` stays as it is.
 */
export type Immutable<T> = unknown extends T
  ? T
  : T extends Atom
    ? T
    : { readonly [K in keyof T]: Immutable<T[K]> }
