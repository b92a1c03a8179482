import type { Place } from './names.ts'

/** Endings of host names that are written without a scheme. Those that are English words (`it`, `in`) are not among them. */
const TLD =
  '(?:com|org|net|edu|gov|int|mil|io|dev|app|ai|co|uk|de|fr|nl|eu|ch|pl|dk|jp|cn|ca|br|info|biz|cloud|tech|wiki|local|internal|lan)'
const HOST = String.raw`(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}`
const PATH = String.raw`(?::\d{1,5})?(?:[/?#][^\s<>"'\x60\]}]{0,250})?`

/**
 * [D64] URLs, e-mail addresses, host names and IP addresses. Every pattern is bounded, and begins
 * where no character of a name stands before, so that reading stays linear.
 */
const ADDRESSES: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{1,15}:\/\/[^\s<>"'`\]}]{2,280}/giu,
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}-])/gu,
  /(?<![\p{L}\p{N}_.])(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2}|:\d{1,5})?(?![\p{L}\p{N}_]|\.\d)/gu,
  /(?<![\p{L}\p{N}_:.])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?:\/\d{1,3})?(?![\p{L}\p{N}_:])/giu,
  /(?<![\p{L}\p{N}_:.])(?=[0-9a-f:]{0,40}\d)(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?:\/\d{1,3})?(?![\p{L}\p{N}_:])/giu,
  new RegExp(
    String.raw`(?<![\p{L}\p{N}_.@/-])(?:www\.)?${HOST}${TLD}(?![\p{L}\p{N}_@-]|\.[\p{L}\p{N}])${PATH}`,
    'giu',
  ),
]

/** An address without the punctuation of the sentence; a bracket that it opened itself stays. */
function withoutSentence(address: string): string {
  const bare = address.replace(/[.,;:!?*_]+$/u, '')
  const isOpen = bare.endsWith(')') && bare.split(')').length > bare.split('(').length
  return isOpen ? withoutSentence(bare.slice(0, -1)) : bare
}

/** [D64] Places of addresses; one that lies in another one is left out. */
export function findAddresses(text: string): readonly Place[] {
  const places: Place[] = []
  for (const pattern of ADDRESSES) {
    for (const { 0: match, index } of text.matchAll(pattern)) {
      const end = index + withoutSentence(match).length
      if (!places.some(([from, to]) => index < to && from < end)) places.push([index, end])
    }
  }
  return places
}
