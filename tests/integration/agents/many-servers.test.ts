import { chmodSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { pidsWithEnvironment } from '../../../agents/platform/process-identity.ts'
import { buildServerSpec, nextId } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

// Fault 18: twenty servers run in the whole matrix, four in a share of it.
const COUNT = process.env['BAKTER_TEST_SLICE'] === undefined ? 20 : 4
const LETTERS = 'acdefghjkmnpqrtuvwxyz234'
const servers = Array.from({ length: COUNT }, (_, index) => ({
  id: nextId(),
  identifier: `acdefgh${LETTERS[index] ?? 'a'}`,
}))

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
beforeAll(async () => {
  bundled = await bundleAgent()
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
})
afterAll(() => {
  bundled.remove()
  scratch.remove()
})

it(
  'fault 18: kill -9 of the agent stops no server and loses or repeats no line, and all is measured on [A12, P3, P5, S-2]',
  { timeout: 240_000 },
  async () => {
    const controlPlane = new ControlPlaneStandIn()
    const controlPlaneUrl = await controlPlane.open()
    const data = path.join(scratch.path, 'agent')
    const open = () =>
      startAgent({ bundle: bundled.bundle, data, controlPlaneUrl, env: { AGENT_STOP_SERVERS_ON_EXIT: '1' } })
    const rootOf = (identifier: string): string => path.join(data, 'servers', identifier, 'root')
    const pids = () => servers.map(({ identifier }) => pidsWithEnvironment(`HOME=${rootOf(identifier)}`))
    let agent = await open()
    try {
      await agent.ready()
      for (const [step, state] of [
        ['install', 'offline'],
        ['start', 'running'],
      ] as const) {
        for (const server of servers) {
          const spec = buildServerSpec({ ...server, environment: { GAME_PORT: '0' } })
          const fields = { id: nextId(), serverId: server.id, generation: 1, requestId: 'r' }
          if (step === 'install') controlPlane.command({ ...fields, kind: 'install', spec })
          else controlPlane.command({ ...fields, kind: 'power', action: step, spec })
        }
        await waitFor(
          `all to be ${state}`,
          () => servers.every(({ id }) => controlPlane.lastState(id) === state),
          120_000,
        )
      }
      const before = pids()
      agent.process.signal('SIGKILL')
      await agent.process.ended
      expect(pids()).toEqual(before)
      agent = await open()
      await agent.ready()
      expect(pids()).toEqual(before)
      for (const { id, identifier } of servers) {
        const client = new PanelClient(agent.port, { serverId: id })
        await client.authenticate(await controlPlane.token({ server: id }))
        client.send('send command', ['say still here'])
        await waitFor('the line', () => client.says('[Server] still here'))
        const seqs = client.lines.map(({ seq }) => seq)
        expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index))
        expect(client.lines.filter(({ text }) => text === '[Server] still here')).toHaveLength(1)
        expect(
          readFileSync(path.join(rootOf(identifier), 'starts.txt'), 'utf8')
            .trim()
            .split('\n'),
        ).toHaveLength(1)
        const measured = () =>
          client.messages.flatMap((message) =>
            message.event === 'stats' ? [JSON.parse(message.args[0]) as { memory_bytes: number }] : [],
          )
        // One is sent at once; another comes only from a sampler that goes on.
        await waitFor('statistics', () => measured().filter((one) => one.memory_bytes > 1_000_000).length > 1, 10_000)
        client.close()
      }
    } finally {
      await agent.process.stop(60_000)
      await controlPlane.close()
    }
  },
)
