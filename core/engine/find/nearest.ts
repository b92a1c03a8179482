/** Edits (insert, delete, replace a letter) that turn one word into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The known word that the operator most likely meant; null if none is similar. */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  const wanted = word.slice(0, 60).toLowerCase()
  let best: string | null = null
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const each of known) {
    const name = each.toLowerCase()
    const starts = wanted.length >= 2 && name.startsWith(wanted)
    const edits = starts ? 1 : distance(wanted, name)
    if (edits < least) {
      best = each
      least = edits
    }
  }
  return best
}
