import { chmodSync } from 'node:fs'
import path from 'node:path'
import { WebSocket } from 'ws'
import type { ServerSpec } from '../../src/contracts/agent/server-spec.ts'
import { protocolsWith } from '../../src/contracts/socket-proof.ts'
import { buildServerSpec, nextId } from '../factories/server-spec.ts'
import { scratchFolder } from '../support/agent-bundles.ts'
import { bundleAgent, type AgentUnderTest } from '../support/agent-process.ts'
import { ControlPlaneStandIn, SITE_ORIGIN } from '../support/control-plane-stand-in.ts'
import { freePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'
import type { BenchPlace, BenchRuntime } from './runtimes.ts'

/** Prints lines with the moment of their printing; `go RATE SECONDS RUN` on its console starts it, RUN tells runs apart. */
export const PRINTER = `
const now = () => performance.timeOrigin + performance.now()
console.log('Done! The printer is ready')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'stop') process.exit(0)
  const [word, rate, seconds, run] = line.split(' ').map((part, index) => (index === 0 ? part : Number(part)))
  if (word === 'burst') {
    let block = ''
    for (let printed = 0; printed < rate; printed += 1) block += 't ' + seconds + ' ' + now().toFixed(3) + '\\n'
    process.stdout.write(block, () => console.log('printed by ' + seconds))
    return
  }
  const end = now() + seconds * 1000
  let printed = 0
  const start = now()
  const timer = setInterval(() => {
    const due = Math.min(rate * seconds, Math.floor(((now() - start) / 1000) * rate))
    let block = ''
    for (; printed < due; printed += 1) block += 't ' + run + ' ' + now().toFixed(3) + '\\n'
    if (block) process.stdout.write(block)
    if (printed >= rate * seconds) { clearInterval(timer); console.log('printed by ' + run) }
  }, Math.max(1, Math.min(20, 500 / rate)))
})`

export interface AgentBench {
  readonly agent: AgentUnderTest
  readonly controlPlane: ControlPlaneStandIn
  /** Installs a server; resolves with its id. */
  installServer(index: number): Promise<string>
  /** Installs and starts a server; resolves when it runs. */
  addServer(index: number): Promise<string>
  openConsole(serverId: string, watcher?: number): Promise<BenchConsole>
  close(): Promise<void>
}

export interface BenchConsole {
  readonly socket: WebSocket
  command(line: string): void
  close(): void
}

const idOf = (kind: string, index: number): string => `01990000-0000-7000-8${kind}-${String(index).padStart(12, '0')}`

const LOOPBACK = '127.0.0.1'

const connect = (url: string, { watcher, token }: { watcher: number; token: string }): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, protocolsWith(token), {
      origin: SITE_ORIGIN,
      perMessageDeflate: false,
      // As many watchers come from as many places: a node bounds the sockets of one address.
      ...(url.includes(LOOPBACK) ? { localAddress: `127.0.1.${1 + (watcher % 250)}` } : {}),
    })
    socket.once('open', () => resolve(socket)).once('error', reject)
  })

/** Waits for the server to let the socket in; lines that came with it are handed to nobody. */
const letIn = async (socket: WebSocket, token: string): Promise<void> => {
  const welcome = new Promise<void>((resolve, reject) => {
    socket.once('close', (code) => reject(new Error(`The console was closed with ${code}.`)))
    socket.on('message', function look(data) {
      if (!String(data).startsWith('{"event":"auth success"')) return
      socket.off('message', look)
      resolve()
    })
  })
  socket.send(JSON.stringify({ event: 'auth', args: [token] }))
  await welcome
  socket.removeAllListeners('close')
}

/** Identifiers have eight characters of an alphabet without look-alikes. */
const LETTERS = 'acdefghjkmnpqrtuvwxy34679'
const identifierOf = (index: number): string =>
  `qqqqqq${LETTERS[Math.floor(index / LETTERS.length)] ?? ''}${LETTERS[index % LETTERS.length] ?? ''}`

const specOf = async (index: number, place: BenchPlace): Promise<ServerSpec> =>
  buildServerSpec({
    id: idOf('001', index),
    identifier: identifierOf(index),
    startup: { argv: ['node', '-e', PRINTER] },
    doneTexts: ['Done! The printer is ready'],
    image: place.image,
    // Room for work that is repeated: a node measures what was deleted once in 30 s.
    limits: { cpuPercent: 100, memoryMiB: 512, storageMiB: 65_536, pids: 512 },
    allocations: [{ ip: place.host, port: await freePort(), primary: true }],
  })

/** An agent as a process of its own, with a stand-in for its control plane and servers that print on command. */
export async function openAgentBench(runtime: BenchRuntime): Promise<AgentBench> {
  const { bundle, remove } = await bundleAgent()
  const scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  const controlPlane = new ControlPlaneStandIn()
  const place = await runtime.open()
  const agent = await place.start({ bundle, data: path.join(scratch.path, 'agent'), controlPlane })
  const install = async (index: number): Promise<ServerSpec> => {
    const spec = await specOf(index, place)
    const id = nextId()
    controlPlane.command({ id, serverId: spec.id, generation: 1, requestId: 'bench', kind: 'install', spec })
    await waitFor('the installation', () => controlPlane.finished(id).length > 0, 60_000)
    return spec
  }
  return {
    agent,
    controlPlane,
    installServer: async (index) => (await install(index)).id,
    addServer: async (index) => {
      const spec = await install(index)
      const fields = { serverId: spec.id, generation: 1, requestId: 'bench' }
      controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start', spec })
      await waitFor('the server to run', () => controlPlane.lastState(spec.id) === 'running', 60_000)
      return spec.id
    },
    openConsole: async (serverId, watcher = 0) => {
      const token = await controlPlane.token({ server: serverId, sub: idOf('002', watcher) })
      const socket = await connect(`ws://${place.host}:${agent.port}/servers/${serverId}/ws`, { watcher, token })
      await letIn(socket, token)
      return {
        socket,
        command: (line) => socket.send(JSON.stringify({ event: 'send command', args: [line] })),
        close: () => socket.terminate(),
      }
    },
    close: async () => {
      await agent.process.stop(60_000)
      await controlPlane.close()
      await place.close()
      scratch.remove()
      remove()
    },
  }
}
