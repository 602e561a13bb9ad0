import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { WebSocket } from 'ws'
import { programOf } from '../support/demo-processes.ts'
import type { Demo, DemoFile } from '../support/demo.ts'
import { openAgentBench, type AgentBench, type BenchConsole } from './agent-bench.ts'
import type { HostileReport, Targets } from './hostile-clients.ts'
import { residentMiB } from './memory.ts'
import {
  confirm,
  newPeople,
  order,
  packageToOrder,
  signInAgain,
  topUp,
  type Action,
  type Kind,
  type Person,
} from './overload-people.ts'
import { withDemo } from './own-demo.ts'
import { percentile, type Figure, type Section } from './report.ts'
import { benchRuntimes } from './runtimes.ts'

const SECONDS = 60
const READERS = 300
const READ = ['/hu', '/hu/blog', '/api/services']
const IDLE_SOCKETS = 2_000
const SOCKETS_OF_A_PERSON = 10
const SOCKETS_OF_A_SERVER = 30
const PAYERS = 20
/** Milliseconds between two actions of a kind. */
const EVERY_MS: Readonly<Record<Kind, number>> = { 'sign-in': 500, 'top-up': 1_000, order: 10_000, console: 500 }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Addresses that nobody has (RFC 2544); a proxy that is trusted passes them on. */
const address = (at: number): string => `198.18.${Math.floor(at / 250) % 250}.${(at % 250) + 1}`

/** Idle sockets at the gateway: ten of each person, and one address for each person. */
async function idleAtGateway({ gatewayUrl, url }: DemoFile, people: readonly Person[]): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (const [at, { token }] of people.entries()) {
    const batch = Array.from({ length: SOCKETS_OF_A_PERSON }, () => {
      const headers = { 'x-forwarded-for': address(at) }
      return new WebSocket(`${gatewayUrl}?token=${token}`, {
        origin: url,
        headers,
      })
    })
    await Promise.all(batch.map((socket) => once(socket, 'open')))
    sockets.push(...batch)
  }
  return sockets
}

/** Idle consoles of many servers; one server runs. */
async function idleAtAgent(bench: AgentBench): Promise<{ serverId: string; sockets: BenchConsole[] }> {
  const serverIds = [await bench.addServer(1)]
  while (serverIds.length * SOCKETS_OF_A_SERVER < IDLE_SOCKETS + SOCKETS_OF_A_SERVER)
    serverIds.push(await bench.installServer(serverIds.length + 1))
  const sockets: BenchConsole[] = []
  // The first server keeps room for the console that is measured.
  for (let at = 0; at < IDLE_SOCKETS; at += 1) {
    const serverId = serverIds[1 + Math.floor(at / SOCKETS_OF_A_SERVER)] ?? ''
    sockets.push(await bench.openConsole(serverId, at))
  }
  return { serverId: serverIds[0] ?? '', sockets }
}

/** As many people use the console in turn: one who is slow does not meet the limit of a user's sockets. */
const CONSOLE_PEOPLE = 20
let consoles = 0

/** Opens a console with proof, sends a command and waits until it is taken. */
async function useConsole(bench: AgentBench, serverId: string): Promise<Action> {
  const beganAt = performance.now()
  consoles += 1
  const watcher = await bench.openConsole(serverId, IDLE_SOCKETS + (consoles % CONSOLE_PEOPLE)).catch(() => undefined)
  if (watcher === undefined) return { kind: 'console', ms: performance.now() - beganAt, statuses: [503] }
  const taken = new Promise<void>((resolve) =>
    watcher.socket.on('message', (data) => String(data).startsWith('{"event":"command accepted"') && resolve()),
  )
  watcher.command('hello')
  await taken
  const ms = performance.now() - beganAt
  watcher.close()
  return { kind: 'console', ms, statuses: [101] }
}

type Stage = {
  readonly demo: Demo
  readonly bench: AgentBench
  readonly serverId: string
  readonly payers: readonly Person[]
  readonly wished: { readonly serviceId: string; readonly packageId: string }
}

/** Everybody's actions for a while, each begun whether the ones before have ended or not. */
async function actFor(stage: Stage, seconds: number): Promise<Action[]> {
  const { demo, bench, serverId, payers, wished } = stage
  const running: Promise<Action>[] = []
  let turn = 0
  const payer = (): Person => {
    turn += 1
    return payers[turn % payers.length] ?? { username: '', token: '' }
  }
  const begin: Readonly<Record<Kind, () => Promise<Action>>> = {
    'sign-in': () => signInAgain(demo.file, payer()),
    'top-up': () => topUp(demo.file, payer()),
    order: () => order(demo.file, payer(), wished),
    console: () => useConsole(bench, serverId),
  }
  const kinds = Object.keys(begin) as Kind[]
  const timers = kinds.map((kind) => setInterval(() => running.push(begin[kind]()), EVERY_MS[kind]))
  await pause(seconds * 1_000)
  for (const timer of timers) clearInterval(timer)
  return Promise.all(running)
}

const crowd = (demo: DemoFile, seconds: number) =>
  autocannon({
    url: demo.url,
    connections: READERS,
    duration: seconds,
    // In a thread of its own: whoever measures does not wait for it.
    workers: 1,
    requests: Array.from({ length: READERS }, (_, at) => ({
      path: READ[at % READ.length] ?? '/',
      headers: { 'x-forwarded-for': address(1_000 + at), 'accept-encoding': 'br' },
    })),
  })

const percentileOf = (actions: readonly Action[], share: number): number =>
  percentile(
    actions.map(({ ms }) => ms),
    share,
  )

type Load = { readonly name: string; readonly goalMs: number; readonly quiet: readonly Action[] }

async function measure(stage: Stage, { name, goalMs, quiet }: Load): Promise<Figure[]> {
  const [read, actions] = await Promise.all([crowd(stage.demo.file, SECONDS), actFor(stage, SECONDS)])
  const of = (all: readonly Action[], kind: Kind) => all.filter((action) => action.kind === kind)
  const kinds = Object.keys(EVERY_MS) as Kind[]
  const failed = actions.filter(({ statuses }) => statuses.some((status) => status >= 400))
  const statuses = Object.entries(read.statusCodeStats ?? {})
  const failures = statuses.flatMap(([status, { count = 0 }]) => (Number(status) === 500 ? [count] : []))
  const memory = {
    site: residentMiB(programOf(stage.demo.dataDir, 'site')),
    'control plane': residentMiB(programOf(stage.demo.dataDir, 'control-plane')),
    agent: residentMiB(stage.bench.agent.process.pid),
  }
  return [
    ...kinds.map((kind) => ({
      what: `${name}: ${kind}, 99th percentile`,
      value: percentileOf(of(actions, kind), 0.99),
      unit: 'ms',
      note: `${of(actions, kind).length}; median ${percentileOf(of(actions, kind), 0.5).toFixed(0)} ms; goal ${goalMs} ms`,
      against: { what: 'without load', value: percentileOf(of(quiet, kind), 0.99) },
    })),
    {
      what: `${name}: actions that failed`,
      value: failed.length,
      unit: '',
      note: `of ${actions.length}: ${failed
        .map(({ kind, statuses: all }) => `${kind} ${all.at(-1)}`)
        .slice(0, 5)
        .join(', ')}`,
    },
    {
      what: `${name}: answers of 500`,
      value:
        failures.reduce((sum, count) => sum + count, 0) +
        failed.filter((action) => action.statuses.includes(500)).length,
      unit: '',
      note: `of ${read.requests.total}; ${read.non2xx} others without success; ${read.errors} connections failed`,
    },
    ...Object.entries(memory).map(([what, value]) => ({
      what: `${name}: memory of the ${what}`,
      value,
      unit: 'MiB',
      note: 'resident, afterwards',
    })),
  ]
}

const portOf = (url: string): number => Number(new URL(url).port)

const startHostile = (targets: Targets): ChildProcess => {
  const child = fork(fileURLToPath(new URL('./hostile-clients.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
  child.send(targets)
  return child
}

async function endHostile(child: ChildProcess): Promise<HostileReport> {
  const answered = once(child, 'message')
  child.send('report')
  const [report] = (await answered) as [HostileReport]
  child.disconnect()
  await once(child, 'exit')
  return report
}

const openedBy = (sockets: readonly { readyState: number }[]): number =>
  sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length

async function stageOf(demo: Demo, bench: AgentBench): Promise<Stage & { idle: WebSocket[] }> {
  // The demo's list of mails is short: those with the codes are read before others arrive.
  const payers = await newPeople(demo.file, PAYERS)
  for (const payer of payers) {
    await confirm(demo.file, payer)
    await topUp(demo.file, payer)
  }
  const people = [...payers, ...(await newPeople(demo.file, IDLE_SOCKETS / SOCKETS_OF_A_PERSON - PAYERS))]
  const { serverId, sockets } = await idleAtAgent(bench)
  const atGateway = await idleAtGateway(demo.file, people)
  const idle = [...atGateway, ...sockets.map(({ socket }) => socket)]
  return { demo, bench, serverId, payers, wished: await packageToOrder(demo.file), idle }
}

async function benchStage(demo: Demo, bench: AgentBench): Promise<Figure[]> {
  const { idle, ...stage } = await stageOf(demo, bench)
  const quiet = await actFor(stage, SECONDS / 2)
  const figures = await measure(stage, { name: 'crowd', goalMs: 1_000, quiet })
  figures.push({
    what: 'crowd: idle sockets that stayed open',
    value: openedBy(idle),
    unit: '',
    note: `of ${idle.length}`,
  })
  const targets = {
    site: portOf(demo.file.url),
    gateway: portOf(demo.file.gatewayUrl),
    agent: bench.agent.port,
    path: `/servers/${stage.serverId}/ws`,
  }
  const hostile = startHostile(targets)
  figures.push(...(await measure(stage, { name: 'hostile', goalMs: 2_000, quiet })))
  const { opened, answers } = await endHostile(hostile)
  const told = Object.entries(answers).map(([status, count]) => `${status}: ${count}`)
  figures.push(
    { what: 'hostile: idle sockets that stayed open', value: openedBy(idle), unit: '', note: `of ${idle.length}` },
    { what: 'hostile: connections that they opened', value: opened, unit: '', note: `answered ${told.join(', ')}` },
  )
  for (const socket of idle) socket.terminate()
  return figures
}

/** The waits of people while a crowd reads and thousands of sockets idle, and then beside hostile clients too. */
export async function benchOverload(): Promise<Section> {
  const [runtime] = benchRuntimes().runtimes
  if (runtime === undefined) throw new Error('No runtime can be measured here.')
  const bench = await openAgentBench(runtime)
  try {
    const figures = await withDemo((demo) => benchStage(demo, bench))
    return {
      title: 'Overload',
      method:
        `${READERS} clients read ${READ.join(', ')} for ${SECONDS} s, each as soon as it is answered; ${IDLE_SOCKETS} sockets idle at the gateway and ` +
        `${IDLE_SOCKETS} consoles at an agent of its own. Meanwhile a sign-in, a top-up with its payment, an order (with its installation) and a ` +
        `console with a command begin every ${Object.values(EVERY_MS).join(', ')} ms. Then the same beside 20 addresses with 1,140 connections that send half ` +
        'bodies, read slowly, connect without proof and send huge headers, each again a second after it was closed. All load generators share the cores.',
      figures,
    }
  } finally {
    await bench.close()
  }
}
