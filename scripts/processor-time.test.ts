import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { childSeconds, createMeter } from './processor-time.ts'

const stat = (user: number, kernel: number) =>
  `71 (a (b) c) S 1 71 71 0 -1 4194560 9 9 0 0 11 12 ${user} ${kernel} 20 0 1 0 5 6 7`

it('[F105] reads the time of ended children, whatever the program is named', () => {
  expect(childSeconds(stat(150, 25))).toBe(1.75)
  expect(childSeconds('')).toBeNull()
})

it('[F105] tells each time what came since the last time, and nothing where the system says nothing', () => {
  const texts = [stat(100, 0), stat(150, 50), stat(150, 50)]
  const meter = createMeter(() => texts.shift() ?? '')
  expect([meter(), meter(), meter(), meter()]).toEqual([1, 1, 0, null])
  const none = createMeter(() => {
    throw new Error('there is no such file')
  })
  expect(none()).toBeNull()
})

it.runIf(process.platform === 'linux')(
  '[F105] counts a child with the children that it waits for',
  () => {
    const meter = createMeter()
    meter()
    const work = 'const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);'
    const parent = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}])`
    spawnSync(process.execPath, ['-e', parent])
    expect(meter()).toBeGreaterThan(0.25)
  },
)
