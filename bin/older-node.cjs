// [F123] Functions of the language's own library that Turnscope uses and Node 20 lacks. The built command line and its
// threads load this file first. If Node has these functions, nothing is changed.
'use strict'

/** ECMAScript 2024, Map.groupBy: a member is added only if it is missing. */
function add(owner, name, value) {
  if (owner[name] === undefined)
    Object.defineProperty(owner, name, { value, writable: true, configurable: true })
}

add(Map, 'groupBy', (items, keyOf) => {
  const groups = new Map()
  let at = 0
  for (const item of items) {
    const key = keyOf(item, at)
    at += 1
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
})

add(Object, 'groupBy', (items, keyOf) => {
  const groups = Object.create(null)
  for (const [key, group] of Map.groupBy(items, (item, at) => String(keyOf(item, at))))
    groups[key] = group
  return groups
})

add(Promise, 'withResolvers', () => {
  let resolve
  let reject
  const promise = new Promise((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  return { promise, resolve, reject }
})

add(URL, 'parse', (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null))

// Time of the clock instead of time of this thread: never less. In microseconds.
add(process, 'threadCpuUsage', () => ({ user: performance.now() * 1000, system: 0 }))

// Node 22 warns about its SQLite, which equals that of Node 24. A user who reads the warning cannot act on it.
const emitWarning = process.emitWarning
process.emitWarning = function (warning, ...rest) {
  if (!/^SQLite is an experimental feature/.test(String(warning)))
    emitWarning.call(process, warning, ...rest)
}
