// Which domains a session tried to move to and was held off from, and what another preset would have done.
//   node examples/node/most-held-off.mjs SESSION [PRESET]
import { explain, flips, openWorkspace, replay, TurnscopeError } from 'turnscope'

const [file, other = 'literal'] = process.argv.slice(2)
const workspace = openWorkspace()
try {
  const { sessions } = await replay(workspace, file)
  const turns = sessions.flatMap((session) => session.turns)
  for (const wanted of ['same', 'accept', 'hold', 'resist', 'widen', 'break'])
    console.log(`${wanted}: ${turns.filter(({ event }) => event === wanted).length} turns`)

  const held = sessions[0].turns.find(({ event }) => event === 'resist' || event === 'hold')
  if (held) {
    const { momentum } = await explain(workspace, file, held.turn)
    console.log(`turn ${held.turn}: ${momentum.reason}`)
  }

  for (const { session, turn, base, head, cause } of await flips(
    workspace,
    file,
    {},
    { preset: other },
  ))
    console.log(`session ${session}, turn ${turn}: ${base.primary} → ${head.primary} (${cause})`)
} catch (error) {
  if (!(error instanceof TurnscopeError)) throw error
  console.error(`${error.where}: ${error.what}. ${error.do}`)
  process.exitCode = 2
}
