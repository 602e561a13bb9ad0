import { chmodSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildServerSpec, nextId, SERVER_ID } from '../../factories/server-spec.ts'
import { scratchFolder } from '../../support/agent-bundles.ts'
import { bundleAgent, startAgent, type AgentUnderTest } from '../../support/agent-process.ts'
import { ControlPlaneStandIn } from '../../support/control-plane-stand-in.ts'
import { freePort } from '../../support/free-port.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Answers a status request as Minecraft does, and ends on `stop`. */
const GAME = `
  const varint = (value) => value < 128 ? Buffer.from([value]) : Buffer.from([(value & 127) | 128, value >> 7])
  const json = Buffer.from(JSON.stringify({ version: { name: '1.21.4', protocol: 769 }, players: { online: 3, max: 12 } }))
  const body = Buffer.concat([varint(0), varint(json.length), json])
  require('node:net').createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([varint(body.length), body])))
  }).listen(Number(process.env.SERVER_PORT), '127.0.0.1', () => console.log('Done! The game is open'))
  process.stdin.on('data', () => process.exit(0))
`

const scratch = scratchFolder()
const controlPlane = new ControlPlaneStandIn()
let bundled: Awaited<ReturnType<typeof bundleAgent>>
let agent: AgentUnderTest | undefined
beforeAll(async () => {
  bundled = await bundleAgent()
  chmodSync(scratch.path, 0o755)
})
afterAll(async () => {
  await agent?.process.stop(20_000)
  await controlPlane.close()
  bundled.remove()
  scratch.remove()
})

it('A27 tells the control plane how many people the game says are playing', async () => {
  const controlPlaneUrl = await controlPlane.open()
  const data = path.join(scratch.path, 'agent')
  const env = { AGENT_STOP_SERVERS_ON_EXIT: '1' }
  agent = await startAgent({ bundle: bundled.bundle, data, controlPlaneUrl, env })
  await agent.ready()
  const port = await freePort()
  const spec = buildServerSpec({
    startup: { argv: ['node', '-e', GAME] },
    environment: { SERVER_PORT: String(port) },
    allocations: [{ ip: '127.0.0.1', port, primary: true }],
    query: { type: 'protocol-minecraftvanilla', port: null },
  })
  const fields = { serverId: SERVER_ID, generation: 1, requestId: 'request', spec }
  const installation = nextId()
  controlPlane.command({ ...fields, id: installation, kind: 'install' })
  await waitFor('the installation', () => controlPlane.finished(installation).length > 0)
  controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start' })
  await waitFor('the server to run', () => controlPlane.lastState() === 'running')
  await waitFor('the count of a minute', () => controlPlane.players.length > 0, 150_000)
  expect(controlPlane.players[0]).toEqual({ serverId: SERVER_ID, online: 3, max: 12 })
}, 300_000)
