/**
 * Length and two hashes of a text: keeping the texts themselves would keep the whole file in memory. Equal texts have
 * equal ones; others have by accident only, once in about 2⁶⁴ pairs of one length.
 */
export function fingerprint(text: string): string {
  let a = 0x811c9dc5
  let b = 0x1b873593
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x85ebca6b)
    b = (b << 13) | (b >>> 19)
  }
  return `${text.length}.${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`
}
