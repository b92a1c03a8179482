/**
 * Code of a module of JavaScript or TypeScript (without JSX): no comments, and each run of white space as one space or
 * one line break. Comments that a bundler obeys stay.
 */
export function codeOf(text: string): string
/** SHA-256 in hex of the part of a file that a build uses: its code if it is such a module, else its bytes. */
export function hashSource(path: string, bytes: Buffer): string
