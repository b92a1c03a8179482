// Loaded before the installed command line by its test. Any name lookup or connection to another machine fails.
'use strict'
const dns = require('node:dns')
const net = require('node:net')

const connect = net.Socket.prototype.connect
const isLocal = (host) =>
  host === undefined || host === 'localhost' || /^(?:127\.|::1$)/u.test(host)
net.Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args
  const host = typeof options === 'object' ? options.host : args[1]
  if (isLocal(host)) return connect.apply(this, args)
  throw new Error(`there is no network: ${host}`)
}
for (const owner of [dns, dns.promises]) {
  const lookup = owner.lookup
  owner.lookup = (name, ...rest) => {
    if (isLocal(name ?? undefined)) return lookup(name, ...rest)
    throw new Error(`there is no network: ${name}`)
  }
}
