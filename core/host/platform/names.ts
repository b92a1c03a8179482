/** True for a bare file name: no folder, no way out, nothing hidden. [B10] */
export function isPlainName(name: string): boolean {
  return name !== '' && name.length <= 200 && !/[/\\\0:]/u.test(name) && !name.startsWith('.')
}

/**
 * [B10] A model's name as a file name: `vendor/model` becomes `vendor_model`, and nothing can climb
 * out of the folder.
 */
export function safeFileName(name: string): string {
  const cleaned = name.replace(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^[._]+/u, '')
  return cleaned === '' ? '_' : cleaned.slice(0, 200)
}
