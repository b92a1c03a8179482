// Packages that an exported page has no use for: it opens no archives and calls no models.
const absent = (): never => {
  throw new Error('this is not in an exported page')
}
export default { open: absent, fromBuffer: absent, fromFd: absent }
export const open = absent
export const fromBuffer = absent
export const fromFd = absent
export const fromRandomAccessReaderPromise = absent
export class RandomAccessReader {}
export const validateFileName = absent
export const getFileNameLowLevel = absent
export const parseExtraFields = absent
export const generateText = absent
export const createAnthropic = absent
export const createOpenAICompatible = absent
export class APICallError extends Error {}
