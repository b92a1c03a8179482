/** Hands lines of JSON, or what `type` says, to the browser as a file. */
export function download(
  parts: readonly BlobPart[],
  name: string,
  type = 'application/x-ndjson',
): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
