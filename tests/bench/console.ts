import path from 'node:path'
import { WebSocket } from 'ws'
import { buildServerSpec, nextId, SERVER_ID } from '../factories/server-spec.ts'
import { scratchFolder } from '../support/agent-bundles.ts'
import { bundleAgent, startAgent } from '../support/agent-process.ts'
import { ControlPlaneStandIn, SITE_ORIGIN } from '../support/control-plane-stand-in.ts'
import { freePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'
import { chmodSync } from 'node:fs'
import { percentile, type Figure, type Section } from './report.ts'

/** MCSManager's daemon at 1,000 lines a second (research figures): median and 99th percentile in ms. */
const PEER = { medianMs: 26, p99Ms: 50, lostPercent: 0.65 }
const RATES = [1_000, 10_000]
const SECONDS = 5
const WARM_UP_LINES = 500

/** Prints lines with the moment of their printing; `go RATE SECONDS RUN` on its console starts it, RUN tells runs apart. */
const PRINTER = `
const now = () => performance.timeOrigin + performance.now()
console.log('Done! The printer is ready')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'stop') process.exit(0)
  const [, rate, seconds, run] = line.split(' ').map(Number)
  const end = now() + seconds * 1000
  let printed = 0
  const start = now()
  const timer = setInterval(() => {
    const due = Math.min(rate * seconds, Math.floor(((now() - start) / 1000) * rate))
    let block = ''
    for (; printed < due; printed += 1) block += 't ' + run + ' ' + now().toFixed(3) + '\\n'
    if (block) process.stdout.write(block)
    if (printed >= rate * seconds) { clearInterval(timer); console.log('printed by ' + run) }
  }, 1)
})`

type Watch = { delaysMs: number[]; finished: boolean }

/** Collects the lines of one run: how long each was on its way. Lines of earlier runs are history, and left out. */
function watchRun(socket: WebSocket, run: number): Watch {
  const state: Watch = { delaysMs: [], finished: false }
  socket.on('message', (data) => {
    const at = performance.timeOrigin + performance.now()
    const message = JSON.parse(String(data)) as { event: string; args: [[number, number, string, string][]] }
    if (message.event !== 'console output') return
    for (const [, , , text] of message.args[0]) {
      if (text === `printed by ${run}`) state.finished = true
      if (text.startsWith(`t ${run} `)) state.delaysMs.push(at - Number(text.split(' ')[2]))
    }
  })
  return state
}

let runs = 0
async function measureRun(socket: WebSocket, rate: number, seconds: number): Promise<number[]> {
  runs += 1
  const state = watchRun(socket, runs)
  socket.send(JSON.stringify({ event: 'send command', args: [`go ${rate} ${seconds} ${runs}`] }))
  await waitFor('the last line', () => state.finished, 60_000)
  return state.delaysMs
}

async function openConsole(port: number, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/servers/${SERVER_ID}/ws`, {
    origin: SITE_ORIGIN,
    perMessageDeflate: false,
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const welcome = new Promise((resolve) => socket.once('message', resolve))
  socket.send(JSON.stringify({ event: 'auth', args: [token] }))
  await welcome
  return socket
}

async function figuresAt(rate: number, socket: WebSocket): Promise<Figure[]> {
  await measureRun(socket, WARM_UP_LINES, 1)
  const delaysMs = await measureRun(socket, rate, SECONDS)
  const lostPercent = (100 * (rate * SECONDS - delaysMs.length)) / (rate * SECONDS)
  const peer = (value: number) => ({ what: "MCSManager's daemon (earlier measurement, 1,000 lines/s)", value })
  return [
    { what: `${rate} lines/s, median`, value: percentile(delaysMs, 0.5), unit: 'ms', against: peer(PEER.medianMs) },
    {
      what: `${rate} lines/s, 99th percentile`,
      value: percentile(delaysMs, 0.99),
      unit: 'ms',
      against: peer(PEER.p99Ms),
    },
    {
      what: `${rate} lines/s, lost`,
      value: lostPercent,
      unit: '%',
      note: `MCSManager's daemon loses ${PEER.lostPercent} % at 10,000`,
    },
  ]
}

/** Time from a server's print to the browser's socket, with the process runtime. */
export async function benchConsole(): Promise<Section> {
  const { bundle, remove } = await bundleAgent()
  const scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  const controlPlane = new ControlPlaneStandIn()
  const controlPlaneUrl = await controlPlane.open()
  const env = { AGENT_STOP_SERVERS_ON_EXIT: '1', AGENT_RUNTIME: 'process' }
  const agent = await startAgent({ bundle, data: path.join(scratch.path, 'agent'), controlPlaneUrl, env })
  try {
    await agent.ready()
    const spec = buildServerSpec({
      startup: { argv: ['node', '-e', PRINTER] },
      doneTexts: ['Done! The printer is ready'],
      allocations: [{ ip: '127.0.0.1', port: await freePort(), primary: true }],
    })
    const fields = { serverId: SERVER_ID, generation: 1, requestId: 'bench' }
    const install = nextId()
    controlPlane.command({ ...fields, id: install, kind: 'install', spec })
    await waitFor('the installation', () => controlPlane.finished(install).length > 0, 60_000)
    controlPlane.command({ ...fields, id: nextId(), kind: 'power', action: 'start', spec })
    await waitFor('the server to run', () => controlPlane.lastState() === 'running', 60_000)
    const figures: Figure[] = []
    for (const rate of RATES) {
      const socket = await openConsole(agent.port, await controlPlane.token())
      figures.push(...(await figuresAt(rate, socket)))
      socket.close()
    }
    return {
      title: 'Console',
      method: `One server, one reader, ${SECONDS} s a rate; from the print in the server to the message in the reader's socket.`,
      figures,
    }
  } finally {
    await agent.process.stop(30_000)
    await controlPlane.close()
    scratch.remove()
    remove()
  }
}
