import { PriceFile } from '../../engine/context/prices.ts'
import type { Result } from '../../engine/result.ts'
import { parseDataFile } from '../platform/files/parse-file.ts'
import { readDataText } from '../workspace/workspace.ts'

/** [X10] Reads a file of prices. A failure names the file with line and column. */
export async function readPrices(path: string): Promise<Result<PriceFile>> {
  const text = await readDataText({ name: path, path, shown: path })
  return text.ok ? parseDataFile(PriceFile, text.value, path) : text
}
