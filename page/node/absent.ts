// Packages that an exported page has no use for: it opens no archives or tables and calls no models.
const absent = (): never => {
  throw new Error('this is not in an exported page')
}
export const open = absent
export const fromBuffer = absent
export const fromFd = absent
export const fromRandomAccessReaderPromise = absent
/** Extended where archives are read. */
export function RandomAccessReader(): void {
  absent()
}
export const validateFileName = absent
export const getFileNameLowLevel = absent
export const parseExtraFields = absent
export const generateText = absent
export const createAnthropic = absent
export const createOpenAICompatible = absent
export class APICallError extends Error {}
export const parquetMetadataAsync = absent
export const parquetSchema = absent
export const parquetReadObjects = absent
export const snappyUncompress = absent
export const Decompress = absent
