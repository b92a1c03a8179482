/** Finds which of many groups of literals occur in a text, in one pass over it. */
export interface Automaton {
  /** Calls `hit` with the number of every group of which a literal ends somewhere; possibly repeatedly. */
  run(text: string, hit: (group: number) => void): void
  readonly states: number
}

interface Trie {
  /** `next[state * classes + class]`, 0 = none (the root is never a target while building). */
  readonly next: number[][]
  readonly groups: number[][]
}

/** Class 0 is every character that no literal holds. */
function classesOf(literals: readonly string[]): {
  readonly of: Uint8Array
  readonly count: number
} {
  const of = new Uint8Array(128)
  let count = 1
  for (const literal of literals)
    for (let at = 0; at < literal.length; at += 1) {
      const code = literal.charCodeAt(at)
      if (of[code] === 0) {
        of[code] = count
        count += 1
      }
    }
  return { of, count }
}

function buildTrie(groups: ReadonlyArray<readonly string[]>, of: Uint8Array, count: number): Trie {
  const empty = (): number[] => new Array<number>(count).fill(0)
  const trie: Trie = { next: [empty()], groups: [[]] }
  for (const [group, literals] of groups.entries())
    for (const literal of literals) {
      let state = 0
      for (let at = 0; at < literal.length; at += 1) {
        const row = trie.next[state] ?? []
        const kind = of[literal.charCodeAt(at)] ?? 0
        let target = row[kind] ?? 0
        if (target === 0) {
          target = trie.next.length
          row[kind] = target
          trie.next.push(empty())
          trie.groups.push([])
        }
        state = target
      }
      trie.groups[state]?.push(group)
    }
  return trie
}

/** Aho and Corasick (1975): missing edges go where the longest proper suffix goes, breadth first. */
function closeTrie(trie: Trie, count: number): Int32Array {
  const table = new Int32Array(trie.next.length * count)
  const fail = new Int32Array(trie.next.length)
  const first = trie.next[0] ?? []
  table.set(first)
  const queue = first.filter((target) => target !== 0)
  for (const state of queue) {
    const suffix = fail[state] ?? 0
    trie.groups[state]?.push(...(trie.groups[suffix] ?? []))
    for (const [kind, target] of (trie.next[state] ?? []).entries()) {
      const other = table[suffix * count + kind] ?? 0
      if (target !== 0) {
        fail[target] = other
        queue.push(target)
      }
      table[state * count + kind] = target === 0 ? other : target
    }
  }
  return table
}

/**
 * Builds the automaton. Literals are lower case within ASCII and not empty; `groups[i]` are those of
 * group `i`. Texts may hold anything: characters above U+007F match no literal.
 */
export function createAutomaton(groups: ReadonlyArray<readonly string[]>): Automaton {
  const { of, count } = classesOf(groups.flat())
  const trie = buildTrie(groups, of, count)
  const table = closeTrie(trie, count)
  const endings = trie.groups.map((list) => (list.length === 0 ? null : [...new Set(list)]))
  return {
    states: endings.length,
    run(text, hit) {
      let state = 0
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        state = table[state * count + (code < 128 ? (of[code] ?? 0) : 0)] ?? 0
        const found = endings[state]
        if (found !== null && found !== undefined) for (const group of found) hit(group)
      }
    },
  }
}
