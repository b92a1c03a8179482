export { Buffer } from 'buffer'

/** [I52] Limits of V8. Other engines allow more or less, and a page never comes near. */
export const constants = { MAX_LENGTH: 2 ** 32, MAX_STRING_LENGTH: 2 ** 29 - 24 } as const
