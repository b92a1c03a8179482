/** Rows that are fetched together. */
export const WINDOW = 100
/** Text fetched per row, in UTF-16 units: more than the clamped lines can show. */
export const ROW_CHARS = 700

/** [U188] The first request for a session: its first rows, without marks. */
export const firstRowsOf = <A extends object>(address: A) => ({
  ...address,
  from: 0,
  to: WINDOW,
  maxChars: ROW_CHARS,
  config: null,
})
