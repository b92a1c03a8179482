// Loaded before the installed command line by its test: takes away what Node 20 does not have, so that what is missing
// in bin/older-node.cjs is seen on a newer Node too.
'use strict'
for (const [owner, names] of [
  [Map, ['groupBy']],
  [Object, ['groupBy']],
  [Promise, ['withResolvers', 'try']],
  [URL, ['parse']],
  [RegExp, ['escape']],
  [Array, ['fromAsync']],
  [
    Set.prototype,
    ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  ],
  [process, ['threadCpuUsage']],
])
  for (const name of names) delete owner[name]

const Native = RegExp
// Groups that change flags: Node 23.
globalThis.RegExp = new Proxy(Native, {
  construct(target, args, self) {
    if (/\(\?[ims]*-?[ims]+:/u.test(String(args[0])))
      throw new SyntaxError(`Invalid group: ${args[0]}`)
    return Reflect.construct(target, args, self)
  },
})
