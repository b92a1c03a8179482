/** Names that are not given twice: one that came before gets a number behind it. */
export function createNames(before = '-'): (wanted: string) => string {
  const next = new Map<string, number>()
  return (wanted) => {
    let count = next.get(wanted)
    if (count === undefined) {
      next.set(wanted, 2)
      return wanted
    }
    while (next.has(`${wanted}${before}${count}`)) count += 1
    next.set(wanted, count + 1)
    next.set(`${wanted}${before}${count}`, 2)
    return `${wanted}${before}${count}`
  }
}
