import { readFileSync } from 'node:fs'
import path from 'node:path'

import { expect } from 'vitest'

import { ServerStats } from '../../src/contracts/panel/messages.ts'
import type { ServerSpec } from '../../src/contracts/agent/server-spec.ts'
import { buildServerSpec, nextId } from '../factories/server-spec.ts'
import type { AgentUnderTest } from '../support/agent-process.ts'
import type { ControlPlaneStandIn } from '../support/control-plane-stand-in.ts'
import { PanelClient } from '../support/panel-client.ts'
import { waitFor } from '../support/wait-for.ts'

/** A node with many running servers. */
export interface ManyServersRig {
  readonly count: number
  readonly controlPlane: ControlPlaneStandIn
  readonly data: string
  /** Address at which the agent listens. */
  readonly host: string
  spec(index: number): Partial<ServerSpec>
  /** Starts a new agent on the same disk and waits until it is ready. */
  open(): Promise<AgentUnderTest>
  /** The actual processes of the server, whether the agent knows them or not: names that change at each start. */
  running(server: { readonly id: string; readonly root: string }): Promise<readonly string[]>
}

const LETTERS = 'acdefghjkmnpqrtuvwxyz234'

const numbered = (text: string): number[] => [...text.matchAll(/^rate (\d+)$/gm)].map(([, digits]) => Number(digits))

/** The reported values of memory in bytes. */
const statsOf = (client: PanelClient): number[] =>
  client.messages.flatMap((message) =>
    message.event === 'stats' ? [ServerStats.parse(JSON.parse(message.args[0])).memory_bytes] : [],
  )

/** Fault 18: kill -9 of the agent while many servers run and print. */
export const expectServersToOutliveTheAgent = async (rig: ManyServersRig): Promise<void> => {
  const { controlPlane, data, host } = rig
  const servers = Array.from({ length: rig.count }, (_, index) => {
    const identifier = `acdefgh${LETTERS[index] ?? 'a'}`
    return { id: nextId(), identifier, root: path.join(data, 'servers', identifier, 'root'), index }
  })
  const all = () => Promise.all(servers.map((server) => rig.running(server)))
  const clients: PanelClient[] = []
  const watch = async (agent: AgentUnderTest, id: string, afterSeq = 0): Promise<PanelClient> => {
    const client = new PanelClient(agent.port, { host, serverId: id })
    clients.push(client)
    await client.authenticate(await controlPlane.token({ server: id }), afterSeq)
    return client
  }
  let agent = await rig.open()
  try {
    for (const [step, state] of [
      ['install', 'offline'],
      ['start', 'running'],
    ] as const) {
      for (const { id, identifier, index } of servers) {
        const spec = buildServerSpec({ id, identifier, ...rig.spec(index) })
        const fields = { id: nextId(), serverId: id, generation: 1, requestId: 'r' }
        if (step === 'install') controlPlane.command({ ...fields, kind: 'install', spec })
        else controlPlane.command({ ...fields, kind: 'power', action: step, spec })
      }
      const hasArrived = () => servers.every(({ id }) => controlPlane.lastState(id) === state)
      await waitFor(`all to be ${state}`, hasArrived, 180_000)
    }
    const lastSeen: number[] = []
    for (const { id } of servers) {
      const client = await watch(agent, id)
      client.send('send command', ['rate 100'])
      await waitFor('lines', () => client.says('rate 50'))
      lastSeen.push(client.lines.at(-1)?.seq ?? 0)
    }
    const before = await all()
    agent.process.signal('SIGKILL')
    await agent.process.ended
    expect(await all()).toEqual(before)
    agent = await rig.open()
    expect(await all()).toEqual(before)
    for (const { id, root, index } of servers) {
      const client = await watch(agent, id, lastSeen[index])
      client.send('send command', ['say still here'])
      await waitFor('the line', () => client.says('[Server] still here'))
      const seqs = client.lines.map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.map((_, at) => (lastSeen[index] ?? 0) + 1 + at))
      const rates = numbered(client.lines.map(({ text }) => text).join('\n'))
      expect(rates).toEqual(rates.map((_, at) => (rates[0] ?? 0) + at))
      expect(client.lines.filter(({ text }) => text === '[Server] still here')).toHaveLength(1)
      expect(readFileSync(path.join(root, 'starts.txt'), 'utf8').trim().split('\n')).toHaveLength(1)
      client.send('send stats', [])
      await waitFor('statistics', () => statsOf(client).some((bytes) => bytes > 0))
    }
  } finally {
    for (const client of clients) client.close()
    await agent.process.stop(120_000)
  }
}
