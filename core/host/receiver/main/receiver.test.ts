import { type AddressInfo, type Server, createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { makeFolder, windowOf } from '../../../../fixtures/host.ts'
import { makeHostHere } from '../../../../fixtures/host-here.ts'
import { THREADS } from '../../../place.ts'
import type { Host, HostOptions } from '../../entries/host.ts'

const hosts: Host[] = []
const servers: Server[] = []
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
  for (const server of servers.splice(0)) server.close()
})

/** A host with its own account folders, and one of its windows. */
function opened(options: Partial<HostOptions>) {
  const said: string[] = []
  const env = { XDG_STATE_HOME: makeFolder(), XDG_CONFIG_HOME: makeFolder() }
  const host = makeHostHere({
    env,
    say: (line: string) => said.push(line),
    receiverUrl: THREADS.receiver,
    ...options,
  })
  hosts.push(host)
  return { host, said, client: windowOf(host) }
}

/** Something that listens at a port, and that port. */
async function taken(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return { server, port: (server.address() as AddressInfo).port }
}

it('[F154] a port that is taken is said, with what to do, and can be had when it is free', async () => {
  const { server, port } = await taken()
  const { client } = opened({ receiverPort: port })
  await expect(client.call('live.receive', { on: true })).rejects.toMatchObject({
    what: 'the port of the receiver is in use by another program',
    where: `127.0.0.1:${port}`,
    do: expect.stringMatching(
      /^If that is a Turnscope that receives, .* under Live sessions .*--otlp PORT.*OTEL_EXPORTER_OTLP_ENDPOINT/u,
    ) as string,
  })
  const { receiver } = await client.call('live.status', {})
  expect(receiver).toMatchObject({ url: null, environment: [] })
  // The window shows it until the next attempt.
  expect(receiver.problem).toContain(`is in use by another program: 127.0.0.1:${port}. If that`)
  await new Promise((resolve) => server.close(resolve))
  expect((await client.call('live.receive', { on: true })).receiver).toMatchObject({
    url: `http://127.0.0.1:${port}`,
    problem: null,
  })
})

it('[F154] a host that is to receive from the start says so where the port is taken', async () => {
  const { port } = await taken()
  const stateDir = makeFolder()
  const first = opened({ stateDir, receiverPort: 0 })
  await first.client.call('live.receive', { on: true })
  const { said, client } = opened({ stateDir, receiverPort: port })
  const words = `in use by another program: 127.0.0.1:${port}`
  await expect.poll(() => said.join('\n')).toContain(words)
  expect((await client.call('live.status', {})).receiver.problem).toContain('--otlp PORT')
})

it('[F154] two hosts receive at once, each at a free port of its own', async () => {
  const both = await Promise.all(
    [1, 2].map(async () => {
      const { client } = opened({ receiverPort: 0 })
      return (await client.call('live.receive', { on: true })).receiver.url
    }),
  )
  expect(new Set(both).size).toBe(2)
  expect(both).not.toContain(null)
})

it('[F147] [F154] the switch lets it listen again where the command said, and as it said', async () => {
  const { server, port } = await taken()
  await new Promise((resolve) => server.close(resolve))
  const { host, client } = opened({ receiverPort: 0 })
  const first = await host.receive({ port, isOpen: true })
  expect(first).toMatchObject({ url: `http://127.0.0.1:${port}`, isOpen: true })
  expect((await client.call('live.receive', { on: false })).receiver.url).toBeNull()
  expect((await client.call('live.receive', { on: true })).receiver).toMatchObject({
    url: first.url,
    isOpen: true,
  })
})
