import { describe, expect, it } from 'vitest'
import { LONGEST_PATH, parsePath } from './map-path.ts'

describe('[I140] paths of a mapping', () => {
  it('are names, places, all members, and the value around', () => {
    const parsed = parsePath(`$.turns[*].*['a name'][-1]^["it's"]`)
    expect(parsed.ok && parsed.value).toMatchObject({
      from: 'root',
      steps: [
        { kind: 'name', name: 'turns' },
        { kind: 'all' },
        { kind: 'all' },
        { kind: 'name', name: 'a name' },
        { kind: 'index', index: -1 },
        { kind: 'up' },
        { kind: 'name', name: "it's" },
      ],
    })
    expect(parsePath('@')).toEqual({ ok: true, value: { from: 'here', steps: [], text: '@' } })
  })

  it.each([
    ['turns', 'a path begins with $'],
    ['$turns', 'a step begins with a dot, a bracket or ^ (at "turns")'],
    ['$..turns', 'two dots search all depths'],
    ['$.', 'a name follows a dot'],
    ["$['name", 'the bracket with a name does not close (at "[\'name")'],
    ["$['name'x]", 'the bracket with a name does not close'],
    ['$[0', 'a bracket does not close (at "[0")'],
    ['$[]', 'in brackets stands a number, * or a name in quotes'],
    ['$[1.5]', 'in brackets stands a number'],
    ['$[name]', 'in brackets stands a number'],
    [`$${'.a'.repeat(25)}`, 'a path has at most 24 steps'],
    [`$.${'a'.repeat(LONGEST_PATH)}`, 'a path has at most 300 characters'],
  ])('%s says what is wrong and where', (path, words) => {
    const parsed = parsePath(path)
    expect(parsed.ok ? 'accepted' : parsed.error).toContain(words)
  })
})
