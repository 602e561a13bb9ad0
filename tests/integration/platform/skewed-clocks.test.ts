import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { ServerState } from '../../../src/domain/servers/server-lifecycle.ts'
import { callInternal } from '../../support/enrolled-agent.ts'
import { beginningsOf, openEnrolledFleet, processesOf, type EnrolledFleet } from '../../support/enrolled-fleet.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { expectInvariants } from '../../support/server-invariants.ts'
import { waitFor } from '../../support/wait-for.ts'

// Fault 28 with the real parts: agents whose clock is off meet a control plane whose clock is right. The exact boundary is
// in tests/unit/agents/http/console-token.test.ts, where no time passes between the issue of a token and its reading.
const CASES = [
  { offSeconds: 59, lets: 'in', identifier: 'acdefgha' },
  { offSeconds: -59, lets: 'in', identifier: 'acdefghc' },
  { offSeconds: 3_600, lets: 'nobody in', identifier: 'acdefghd' },
  { offSeconds: -3_600, lets: 'nobody in', identifier: 'acdefghe' },
] as const

let fleet: EnrolledFleet
beforeAll(async () => {
  fleet = await openEnrolledFleet()
})
afterAll(() => fleet.close())

/** The whole process lives in another time, also its libraries. */
const shiftedBy = (seconds: number): Record<string, string> => {
  const source = `
    const real = Date
    const now = () => real.now() + ${seconds * 1_000}
    globalThis.Date = class extends real {
      constructor(...given) { super(...(given.length === 0 ? [now()] : given)) }
      static now() { return now() }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` }
}

describe('fault 28', () => {
  it.each(CASES)(
    'a node whose clock is $offSeconds s off runs its servers as ever and lets $lets [S-1 to S-4]',
    { timeout: 240_000 },
    async ({ offSeconds, lets, identifier }) => {
      const { database, plane, stateOf } = fleet
      const enrolled = await fleet.startAgent({ env: shiftedBy(offSeconds) })
      const { agent, nodeId } = enrolled
      try {
        const serverId = await fleet.addGame(enrolled, identifier, 'running')
        await waitFor('the server to run', async () => (await stateOf(serverId)) === 'running')
        const [node] = await database.owner.query<{ clock_offset_ms: bigint }>(
          'select clock_offset_ms from control.nodes where id = $1',
          [nodeId],
        )
        expect(Math.abs(Number(node?.clock_offset_ms) - offSeconds * 1_000)).toBeLessThan(30_000)
        expect(plane.process.output()).toContain('the clock of a node is wrong')

        const { token } = await callInternal<{ token: string }>(plane, 'console-access', { serverId })
        const client = new PanelClient(agent.port, { serverId, origin: 'http://127.0.0.1:3000' })
        await client.opened()
        client.send('auth', [token, 0])
        if (lets === 'nobody in') expect(await client.closed()).toBe(4401)
        else {
          await waitFor('the history', () => client.says('Done! The game is open'))
          // Ordered by number, whatever the times say.
          const seqs = client.lines.map(({ seq }) => seq)
          expect(seqs).toEqual(seqs.map((_, index) => index + 1))
          client.close()
        }
        // The state that a command leads to is told before the command's own end.
        const commands = await waitFor('the ends of all commands', async () => {
          const rows = await database.owner.query<{ id: string; state: string }>(
            'select id, state from control.commands where server_id = $1',
            [serverId],
          )
          return rows.every(({ state }) => !['pending', 'accepted'].includes(state)) && rows
        })
        expectInvariants({
          running: processesOf(enrolled, identifier),
          begun: beginningsOf(enrolled, identifier) ?? 0,
          asked: 1,
          told: (await stateOf(serverId)) as ServerState,
          suspended: false,
          commands: commands.map(({ id }) => id),
          answers: commands.flatMap(({ id, state }) => (state === 'finished' ? [{ commandId: id, ok: true }] : [])),
        })
      } finally {
        await agent.process.stop(20_000)
      }
    },
  )
})
