import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

const ASK_EVERY_MS = 1_500
const isRoot = process.getuid?.() === 0
const scratch = scratchFolder()
const data = path.join(scratch.path, 'agent')
const filler = path.join(data, 'filler')
const controlPlane = new ControlPlaneStandIn()
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let agent: AgentUnderTest
const spec = buildServerSpec({ environment: { GAME_PORT: '0' } })
const fields = { serverId: SERVER_ID, generation: 1, requestId: 'request' }

/** A disk of a few MiB of its own, which only root can make. Elsewhere there is nothing to prove. */
beforeAll(async () => {
  if (!isRoot) return
  chmodSync(scratch.path, 0o755)
  mkdirSync(data)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=0711', 'tmpfs', data])
  bundled = await bundleAgent()
  const controlPlaneUrl = await controlPlane.open()
  agent = await startAgent({
    bundle: bundled.bundle,
    data,
    controlPlaneUrl,
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1' },
  })
  await agent.ready()
  controlPlane.command({ ...fields, id: nextId(), kind: 'install', spec })
  await waitFor('the installation', () => controlPlane.lastState() === 'offline')
  controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start', spec })
  await waitFor('the server to run', () => controlPlane.lastState() === 'running')
})
afterAll(async () => {
  if (!isRoot) return
  await agent.process.stop(20_000)
  await controlPlane.close()
  execFileSync('umount', [data])
  bundled.remove()
  scratch.remove()
})

const fill = (): void => {
  const file = openSync(filler, 'w')
  try {
    for (const size of [1 << 20, 1 << 12, 1]) {
      const block = Buffer.alloc(size, 1)
      try {
        for (;;) if (writeSync(file, block) < size) break
      } catch {
        // There is no room for one more of this size.
      }
    }
  } finally {
    closeSync(file)
  }
}

/** Asks within the limits of the socket, again and again. */
const askUntil = async (what: string, ask: () => void, isDone: () => boolean): Promise<void> => {
  let askedAt = 0
  const look = (): boolean => {
    if (isDone() || Date.now() - askedAt < ASK_EVERY_MS) return isDone()
    askedAt = Date.now()
    ask()
    return false
  }
  await waitFor(what, look, 60_000)
}

describe('a full disk [fault 34]', () => {
  it('costs lines that are counted and told, and neither the game nor the agent', async () => {
    if (!isRoot) return
    const client = new PanelClient(agent.port)
    await client.authenticate(await controlPlane.token(), 0)
    fill()
    client.send('send command', ['count 5000'])
    client.send('send command', ['say while full'])
    await waitFor('the health of the agent', async () => {
      const answer = await fetch(`http://127.0.0.1:${agent.healthPort}/health/live`)
      return answer.ok
    })
    rmSync(filler)
    await askUntil(
      'the game to be heard again',
      () => client.send('send command', ['say back']),
      () => client.says('[Server] back'),
    )
    expect(
      client.lines.some(({ stream, text }) => stream === 'x' && /^\d+ lines could not be written/.test(text)),
    ).toBe(true)
    expect(client.closeCode).toBeUndefined()
    const seqs = client.lines.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    client.close()
  })

  it('lets a server be ended, and what happened is known once there is room', async () => {
    if (!isRoot) return
    const client = new PanelClient(agent.port)
    await client.authenticate(await controlPlane.token(), 0)
    fill()
    client.send('set state', ['kill'])
    await waitFor('an answer', () => client.has('daemon error') || client.has('daemon message') || client.has('status'))
    rmSync(filler)
    await askUntil(
      'the end',
      () => client.send('set state', ['kill']),
      () => controlPlane.lastState() === 'offline',
    )
    expect(client.closeCode).toBeUndefined()
    controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start', spec })
    await waitFor('the server to run again', () => controlPlane.lastState() === 'running')
    client.close()
  })
})
