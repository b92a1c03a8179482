// Loaded before the installed command line by its test. Removes features that Node 20 lacks, so that gaps in
// bin/older-node.cjs also show on a newer Node.
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
