import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { buildServerSpec, nextId, NODE_ID, SERVER_ID, USER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { freePort } from '../../support/free-port.ts'
import { PanelClient } from '../../support/panel-client.ts'
import { waitFor } from '../../support/wait-for.ts'

let bundled: Awaited<ReturnType<typeof bundleAgent>>
let scratch: ReturnType<typeof scratchFolder>
let controlPlane: ControlPlaneStandIn
let url: string
let gamePort: number
const agents: AgentUnderTest[] = []
const clients: PanelClient[] = []

beforeAll(async () => {
  bundled = await bundleAgent()
})
afterAll(() => bundled.remove())

beforeEach(async () => {
  scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  controlPlane = new ControlPlaneStandIn()
  url = await controlPlane.open()
  gamePort = await freePort()
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  // The last agent takes its servers with it; those that a test killed have left theirs to it.
  const last = agents.splice(0).filter((agent) => agent.process.isRunning())
  for (const agent of last) await agent.process.stop(20_000)
  await controlPlane.close()
  scratch.remove()
})

const open = async (env: Record<string, string> = {}): Promise<AgentUnderTest> => {
  const agent = await startAgent({
    bundle: bundled.bundle,
    data: path.join(scratch.path, 'agent'),
    controlPlaneUrl: url,
    env: { AGENT_STOP_SERVERS_ON_EXIT: '1', ...env },
  })
  agents.push(agent)
  return agent
}

const spec = (change: Parameters<typeof buildServerSpec>[0] = {}) =>
  buildServerSpec({
    allocations: [{ ip: '127.0.0.1', port: gamePort, primary: true }],
    // Time to save the world, also on a machine that stands still for seconds.
    stopTimeoutMs: 30_000,
    ...change,
  })

const install = async (): Promise<string> => {
  const id = nextId()
  const fields = { id, serverId: SERVER_ID, generation: 1, requestId: 'request-1' }
  controlPlane.command({ ...fields, kind: 'install', spec: spec() })
  await waitFor('the installation', () => controlPlane.finished(id).length > 0)
  return id
}

const power = (action: 'start' | 'stop' | 'restart' | 'kill', change: Parameters<typeof buildServerSpec>[0] = {}) => {
  const id = nextId()
  const fields = { id, serverId: SERVER_ID, generation: change.generation ?? 1, requestId: 'request-2' }
  controlPlane.command({ ...fields, kind: 'power', action, spec: spec(change) })
  return id
}

const running = async (): Promise<void> => {
  power('start')
  await waitFor('the server to run', () => controlPlane.lastState() === 'running')
}

const watch = async (agent: AgentUnderTest, afterSeq?: number): Promise<PanelClient> => {
  const client = new PanelClient(agent.port)
  clients.push(client)
  await client.authenticate(await controlPlane.token(), afterSeq)
  return client
}

const expectWholeConsole = (lines: readonly { seq: number }[]): void => {
  const first = lines[0]?.seq ?? 0
  expect(lines.map((line) => line.seq)).toEqual(lines.map((_, index) => first + index))
}

describe('the agent as a process', () => {
  it('enrols once, keeps its key private, and greets with a signed challenge and its state [A1, A2, A8]', async () => {
    const agent = await open()
    await agent.ready()
    expect(controlPlane.enrolments).toBe(1)
    expect(controlPlane.hellos[0]).toMatchObject({ nodeId: NODE_ID, protocol: 1, servers: [] })
    const key = path.join(scratch.path, 'agent', 'node-key.pem')
    expect(statSync(key).mode & 0o777).toBe(0o600)
    await agent.process.stop()
    const again = await open()
    await again.ready()
    expect(controlPlane.enrolments).toBe(1)
  })

  it('installs with live output, starts, accepts commands and stops gracefully', async () => {
    const agent = await open()
    await agent.ready()
    const installing = install()
    await waitFor('the server to exist', () => controlPlane.list().some(({ kind }) => kind === 'server.state'))
    const client = await watch(agent, 0)
    const id = await installing
    expect(controlPlane.finished(id)).toMatchObject([{ ok: true, code: 'OK' }])
    await waitFor('the last installation line', () => client.says('The game is unpacked.'))
    expect(client.lines.filter((line) => line.stream === 'i').map((line) => line.text)).toContain(
      'Unpacking part 1 of 5',
    )
    await running()
    client.send('send command', ['say hello', 'c1'])
    await waitFor('the answer', () => client.says('[Server] hello'))
    await waitFor('the receipt', () =>
      client.messages.some((m) => m.event === 'command accepted' && m.args[0] === 'c1'),
    )
    await waitFor('statistics', () =>
      client.messages.some((m) => m.event === 'stats' && m.args[0].includes('"state":"running"')),
    )
    client.send('set state', ['stop'])
    await waitFor('the stop', () => controlPlane.lastState() === 'offline')
    await waitFor('the saved world', () => client.says('World saved'))
    expectWholeConsole(client.lines)
    const activities = controlPlane.list().flatMap((event) => (event.kind === 'activity' ? [event] : []))
    expect(activities.map(({ type, userId }) => ({ type, userId }))).toEqual([
      { type: 'server:console.command', userId: USER_ID },
      { type: 'server:power.stop', userId: USER_ID },
    ])
  })

  it('survives kill -9 during a flood of output: the server keeps running, no line is lost or repeated [P3, P4, P5, S-2]', async () => {
    const agent = await open()
    await agent.ready()
    await install()
    await running()
    const before = await watch(agent)
    before.send('send command', ['rate 3000'])
    await waitFor('lines', () => before.lines.length > 2_000)
    agent.process.signal('SIGKILL')
    await agent.process.ended
    await waitFor('the browser to notice', () => before.closeCode !== undefined)
    const lastSeen = before.lines.at(-1)?.seq ?? 0
    const next = await open()
    await next.ready()
    expect(controlPlane.hellos.at(-1)?.servers).toMatchObject([{ id: SERVER_ID, state: 'running' }])
    const after = await watch(next, lastSeen)
    await waitFor('the console to go on', () => after.lines.length > 3_000)
    after.send('send command', ['stop'])
    await waitFor('the end', () => after.says('World saved'))
    const all = [...before.lines, ...after.lines]
    expectWholeConsole(all)
    expect(before.droppedLines + after.droppedLines).toBe(0)
    const counted = all.filter((line) => line.text.startsWith('rate ')).map((line) => Number(line.text.slice(5)))
    expect(counted).toEqual(counted.map((_, index) => index + 1))
    expect(
      readFileSync(path.join(scratch.path, 'agent/servers/acdefghj/root/starts.txt'), 'utf8').split('\n'),
    ).toHaveLength(2)
  })

  it('stops its servers by their stop chain when it ends, and leaves no process', async () => {
    const agent = await open()
    await agent.ready()
    await install()
    await running()
    const world = path.join(scratch.path, 'agent/servers/acdefghj/root/world.json')
    expect(existsSync(world)).toBe(false)
    await agent.process.stop(90_000)
    expect(JSON.parse(readFileSync(world, 'utf8'))).toMatchObject({ saved: true })
  })

  it('leaves its servers running by default and adopts them again', async () => {
    const agent = await open({ AGENT_STOP_SERVERS_ON_EXIT: '0' })
    await agent.ready()
    await install()
    await running()
    await agent.process.stop()
    const next = await open()
    await next.ready()
    const client = await watch(next, 0)
    client.send('send command', ['say still here'])
    await waitFor('the answer', () => client.says('[Server] still here'))
    expect(client.lines.filter((line) => line.text.startsWith('Start number'))).toHaveLength(1)
  })

  it('repeats the answer of a command without running it again, also after a restart [A4]', async () => {
    const agent = await open()
    await agent.ready()
    const id = await install()
    agent.process.signal('SIGKILL')
    await agent.process.ended
    const next = await open()
    await next.ready()
    const fields = { id, serverId: SERVER_ID, generation: 1, requestId: 'request-1' }
    controlPlane.command({ ...fields, kind: 'install', spec: spec() })
    // An event that was told again keeps its number.
    await waitFor('the repeated answer', () => controlPlane.finished(id).length === 2)
    const answer = { ok: true, code: 'OK' }
    expect(controlPlane.finished(id)).toMatchObject([answer, answer])
    const installed = path.join(scratch.path, 'agent/servers/acdefghj/root/installed.txt')
    expect(readFileSync(installed, 'utf8')).toBe('installed\n')
  })

  it('keeps events until they are acknowledged, across an outage and a kill [A6, A12]', async () => {
    const agent = await open()
    await agent.ready()
    await install()
    controlPlane.hold = true
    await running()
    agent.process.signal('SIGKILL')
    await agent.process.ended
    const sent = controlPlane.list().filter((event) => event.kind === 'server.state').length
    controlPlane.events.clear()
    const next = await open()
    await next.ready()
    await waitFor('the events again', () => controlPlane.lastState() === 'running')
    expect(sent).toBeGreaterThan(0)
    expect([...controlPlane.events.keys()]).toEqual([...controlPlane.events.keys()].sort((a, b) => a - b))
  })

  it("ends when its supervisor's pipe is closed", async () => {
    const agent = await open({ AGENT_STOP_SERVERS_ON_EXIT: '', BAKTER_SUPERVISED: '1' })
    await agent.process.ended
    expect(agent.process.output()).toContain('the supervisor is gone')
  })

  it('refuses the process runtime in production unless there is one tenant', async () => {
    const agent = await open({ BAKTER_MODE: 'production' })
    const { code } = await agent.process.ended
    expect(code).toBe(1)
    expect(agent.process.output()).toContain('AGENT_SINGLE_TENANT=1')
  })
})
