/** Rules that need types: an example that breaks each, without an import. */
export const TYPED: Readonly<Record<string, string>> = {
  'typescript/await-thenable': `export async function f(n: number) { await n }`,
  'typescript/no-array-delete': `export function f(a: number[]) { delete a[0] }`,
  'typescript/no-base-to-string': 'export const f = (o: { a: number }) => `${String(o)}`',
  'typescript/no-confusing-void-expression': `declare function v(): void\nexport const f = () => { const x = v(); return x }`,
  'typescript/no-deprecated': `/** @deprecated use g */\ndeclare function old(): number\nexport const n = old()`,
  'typescript/no-duplicate-type-constituents': `export type T = 'a' | 'b' | 'a'`,
  'typescript/no-floating-promises': `declare function p(): Promise<void>\nexport function f() { p() }`,
  'typescript/no-for-in-array': `export function f(a: number[]) { const b: string[] = []; for (const i in a) b.push(i); return b }`,
  'typescript/no-generated-empty-object-type': `export type T = Omit<{ a: string }, 'a'>`,
  'typescript/no-implied-eval': `declare function setTimeout(what: string, ms: number): void\nexport function f() { setTimeout('alert()', 1); return new Function('a', 'return a') }`,
  'typescript/no-meaningless-void-operator': `declare function v(): void\nexport function f() { void v() }`,
  'typescript/no-misused-promises': `declare function p(): Promise<boolean>\nexport function f() { if (p()) return 1; return 2 }`,
  'typescript/no-misused-spread': `export const f = (a: number[]) => ({ ...a })`,
  'typescript/no-mixed-enums': `export enum E { A, B = 'b' }`,
  'typescript/no-redundant-type-constituents': `export type T = string | unknown`,
  'typescript/no-unnecessary-boolean-literal-compare': `export const f = (b: boolean) => (b === true ? 1 : 2)`,
  'typescript/no-unnecessary-condition': `export const f = (s: { a: string }) => (s ? s.a : '')`,
  'typescript/no-unnecessary-template-expression': 'export const f = (s: string) => `${s}`',
  'typescript/no-unnecessary-type-arguments': `declare function g<T = number>(x?: T): T\nexport const n = g<number>()`,
  'typescript/no-unnecessary-type-assertion': `export const f = (s: string) => s as string`,
  'typescript/no-unnecessary-type-conversion': `export const f = (s: string) => String(s)`,
  'typescript/no-unsafe-argument': `declare const a: any\ndeclare function g(s: string): void\nexport function f() { g(a) }`,
  'typescript/no-unsafe-assignment': `declare const a: any\nexport function f() { const b = a; return [b] }`,
  'typescript/no-unsafe-call': `declare const a: any\nexport function f() { a() }`,
  'typescript/no-unsafe-enum-assignment': `enum E { A, B }\nexport const e: E = 1`,
  'typescript/no-unsafe-enum-comparison': `enum E { A, B }\nexport const f = (e: E) => e === 1`,
  'typescript/no-unsafe-member-access': `declare const a: any\nexport function f() { return [a.b.c] }`,
  'typescript/no-unsafe-return': `declare const a: any\nexport function f() { return a }`,
  'typescript/no-unsafe-unary-minus': `export const f = (s: string) => -s`,
  'typescript/no-useless-default-assignment': `export const f = ({ a = 1 }: { a: number }) => a`,
  'typescript/only-throw-error': `export function f() { throw 'no' }`,
  'typescript/prefer-promise-reject-errors': `export const f = () => Promise.reject('no')`,
  'typescript/prefer-reduce-type-parameter': `export const f = (a: string[]) => a.reduce((m, s) => ({ ...m, [s]: true }), {} as Record<string, boolean>)`,
  'typescript/prefer-return-this-type': `export class C { f(): C { return this } }`,
  'typescript/related-getter-setter-pairs': `export interface I { get a(): string; set a(b: number) }`,
  'typescript/require-await': `export async function f() { return 1 }`,
  'typescript/restrict-plus-operands': `export const f = (a: number, b: string) => a + b`,
  'typescript/restrict-template-expressions': 'export const f = (a: { b: number }) => `${a}`',
  'typescript/return-await': `declare function p(): Promise<number>\nexport async function f() { try { return p() } catch { return 1 } }`,
  'typescript/unbound-method': `export class C { a = 1; f() { return this.a } }\nexport const f = new C().f`,
  'typescript/use-unknown-in-catch-callback-variable': `declare const p: Promise<void>\nexport const q = p.catch((e: any) => { throw e })`,
  'typescript/dot-notation': `export const f = (o: { a: number }) => o['a']`,
  'typescript/non-nullable-type-assertion-style': `export const f = (s: string | undefined) => s as string`,
  'typescript/prefer-find': `export const f = (a: string[]) => a.filter((s) => s === 'a')[0]`,
  'typescript/prefer-includes': `export const f = (a: string) => a.indexOf('a') !== -1`,
  'typescript/prefer-nullish-coalescing': `export const f = (a: string | null) => (a !== null ? a : 'b')`,
  'typescript/prefer-optional-chain': `export const f = (o: { a: { b: string } | null }) => o.a && o.a.b`,
  'typescript/prefer-regexp-exec': `export const f = (s: string) => s.match(/a/)`,
  'typescript/prefer-string-starts-ends-with': `export const f = (s: string) => s[0] === 'a'`,
  'typescript/switch-exhaustiveness-check': `export function f(k: 'a' | 'b') { switch (k) { case 'a': return 1 } return 2 }`,
}

const REACT = "import { useEffect, useMemo, useRef, useState } from 'react'\n"

/** Rules of React, which look at files of the renderer. */
export const HOOKS: Readonly<Record<string, string>> = {
  'react/rules-of-hooks': `${REACT}export function F(p: { a: boolean }) { if (p.a) useState(1); return null }`,
  'react/exhaustive-deps': `${REACT}export function F(p: { a: string }) { useEffect(() => { console.log(p.a) }, []); return null }`,
  'react/static-components': `export function F() { const G = () => <i />; return <G /> }`,
  'react/use-memo': `${REACT}export function F() { const n = useMemo((x: number) => x, []); return <i>{n}</i> }`,
  'react/incompatible-library': `import { useVirtualizer } from '@tanstack/react-virtual'\nexport function F() { const v = useVirtualizer({ count: 1 }); return <i>{v.n}</i> }`,
  'react/immutability': `export function F(p: { a: { b: number } }) { p.a.b = 1; return <i>{p.a.b}</i> }`,
  'react/globals': `let g = 0\nexport function F() { g = 1; return <i>{g}</i> }`,
  'react/refs': `${REACT}export function F() { const r = useRef(1); return <i>{r.current}</i> }`,
  'react/set-state-in-effect': `${REACT}export function F() { const [s, set] = useState(0); useEffect(() => { set(1) }, []); return <i>{s}</i> }`,
  'react/error-boundaries': `export function F() { try { return <i /> } catch { return null } }`,
  'react/purity': `export function F() { const n = Math.random(); return <i>{n}</i> }`,
  'react/set-state-in-render': `${REACT}export function F() { const [s, set] = useState(0); set(1); return <i>{s}</i> }`,
  'react/unsupported-syntax': `export function F() { eval('1'); return <i /> }`,
}

/** Errors that the compiler reports under the repository's options. */
export const TYPES: Readonly<Record<string, string>> = {
  'typescript/TS2322 another type': `export const n: number = 'a'`,
  'typescript/TS2339 no such property': `export const f = (o: { a: number }) => o.b`,
  'typescript/TS2345 another argument': `declare function g(n: number): void\ng('a')`,
  'typescript/TS6133 nobody reads it': `export function f(a: number) { const b = a; return 1 }`,
  'typescript/TS4111 an index signature': `export const f = (o: Record<string, string>) => o.a`,
  'typescript/TS2375 undefined in an optional field': `export const f = (): { a?: string } => ({ a: undefined as undefined } as { a: undefined })`,
  'typescript/TS7030 no value on every way': `export function f(a: boolean) { if (a) return 1 }`,
  'typescript/TS7029 a case that falls through': `export function f(a: number) { switch (a) { case 1: f(2); case 2: return 3; default: return 4 } }`,
  'typescript/TS2532 an entry that may be absent': `export const f = (a: string[]) => a[0].length`,
  'typescript/TS1294 what cannot be erased': `export enum E { A }`,
  'typescript/TS2307 no such module': `import { a } from './nowhere.ts'\nexport const b: unknown = a`,
  'typescript/TS7006 a parameter of any type': `export const f = (a) => 1`,
}

/** Rules with words or places of the repository. */
export const REPOSITORY: Readonly<
  Record<string, { readonly path: string; readonly text: string }>
> = {
  'repository/no-restricted-syntax a default export': {
    path: 'core/default-export.ts',
    text: 'export default 1',
  },
  'repository/no-restricted-syntax an enum': {
    path: 'core/an-enum.ts',
    text: 'export enum E { A }',
  },
  'repository/no-restricted-syntax all of a module': {
    path: 'core/export-all.ts',
    text: `export * from './an-enum.ts'`,
  },
  'repository/no-restricted-syntax a class of the engine': {
    path: 'core/engine/a-class.ts',
    text: 'export class C { a = 1 }',
  },
  'repository/no-restricted-syntax the clock': {
    path: 'core/engine/a-clock.ts',
    text: 'export const f = (): Date => new Date()',
  },
  'repository/no-spread-of-literal an object': {
    path: 'core/engine/spread-object.ts',
    text: 'export const f = (a: 1): object => ({ ...{ a }, b: 1 })',
  },
  'repository/no-spread-of-literal a list': {
    path: 'core/wire/spread-list.ts',
    text: 'export const f = (a: number): number => Math.max(...[a, 1])',
  },
  'repository/no-spread-of-literal Object.assign': {
    path: 'core/engine/assigned-literal.ts',
    text: 'export const f = (a: object): object => Object.assign({}, a)',
  },
  'repository/no-packed-declaration a tuple': {
    path: 'core/engine/packed-tuple.ts',
    text: 'const [a, b] = [1, 2] as const\nexport const c = [a, b]',
  },
  'repository/no-packed-declaration a list': {
    path: 'core/wire/packed-list.ts',
    text: 'const a = 1,\n  b = 2\nexport const c = [a, b]',
  },
  'repository/no-packed-declaration parameters': {
    path: 'core/engine/packed-parameters.ts',
    text: 'export function f(...[a, b]: readonly [1, 2]): number { return a + b }',
  },
  'repository/no-restricted-syntax a button': {
    path: 'renderer/a-button.tsx',
    text: 'export const F = () => <button />',
  },
  'repository/no-restricted-syntax a table': {
    path: 'renderer/a-table.tsx',
    text: 'export const F = () => <table />',
  },
  'eslint/no-restricted-properties Date.now': {
    path: 'core/engine/date-now.ts',
    text: 'export const f = (): number => Date.now()',
  },
  'eslint/no-restricted-properties Math.random': {
    path: 'core/engine/chance.ts',
    text: 'export const f = (): number => Math.random()',
  },
  'eslint/no-console': {
    path: 'core/engine/says.ts',
    text: `export const f = (): void => { console.log('a') }`,
  },
  'typescript/explicit-module-boundary-types': {
    path: 'core/engine/untold.ts',
    text: 'export const f = () => 1',
  },
  'unicorn/filename-case': { path: 'core/notKebab.ts', text: 'export const a = 1' },
  'eslint/max-params': {
    path: 'core/params.ts',
    text: 'export const f = (a: 1, b: 1, c: 1, d: 1, e: 1) => [a, b, c, d, e]',
  },
  'eslint/complexity': {
    path: 'core/complex.ts',
    text: `export function f(n: number) {\n${'if (n > 1) f(n)\n'.repeat(14)}}`,
  },
  'eslint/eqeqeq': {
    path: 'core/equal.ts',
    text: 'export const f = (a: string, b: string) => a == b',
  },
  'eslint/no-duplicate-imports': {
    path: 'core/twice.ts',
    text: `import { a } from './equal.ts'\nimport { b } from './equal.ts'\nexport const c = [a, b]`,
  },
  'typescript/no-explicit-any': { path: 'core/any.ts', text: 'export type T = any' },
  'typescript/no-non-null-assertion': {
    path: 'core/bang.ts',
    text: 'export const f = (a: string | null) => a!',
  },
  'eslint/no-unused-vars': { path: 'core/unread.ts', text: 'const a = 1\nexport {}' },
}
