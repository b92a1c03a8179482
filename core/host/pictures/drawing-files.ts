/** Folder of the built package with the files below, under the names of their packages. */
export const DRAWING_FOLDER = 'dist/drawing'

const FONT = '@fontsource-variable/inter'
/** Parts of the font, by the letters that they hold. */
export const SUBSETS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
]
/** Which letters each part of the font holds. */
export const RANGES = `${FONT}/unicode.json`
export const RENDERER = '@resvg/resvg-wasm/index_bg.wasm'
export const PARTS = SUBSETS.map((subset) => `${FONT}/files/inter-${subset}-wght-normal.woff2`)
/** [F91] Files of packages that a drawing as PNG needs. */
export const DRAWING_FILES: readonly string[] = [RANGES, RENDERER, ...PARTS]
