import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAgentBench, type AgentBench } from './agent-bench.ts'
import { crowdFigures } from './console.ts'
import type { Figure, Section } from './report.ts'
import { benchRuntimes, type BenchRuntime } from './runtimes.ts'

const SERVERS = 50
const IDLE_SECONDS = 20
/** MCSManager's daemon with one server (earlier measurement). */
const PEER_MIB = 104
/** The kernel reports CPU times in hundredths of a second. */
const TICKS_PER_SECOND = 100

function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib ?? Number.NaN) / 1_024
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Memory of an agent that is linked to its control plane and has nothing to do. */
async function emptyFigure(bench: AgentBench, name: string): Promise<Figure> {
  await sleep(IDLE_SECONDS * 1_000)
  const value = residentMiB(bench.agent.process.pid)
  return { what: `${name}, linked, no server: memory of the agent`, value, unit: 'MiB', note: 'goal: 80 at most' }
}

/** Memory and CPU of the agent while its servers run and nobody watches: what is left is the measuring of statistics. */
async function idleFigures(bench: AgentBench, name: string, servers: number): Promise<Figure[]> {
  const { pid } = bench.agent.process
  await sleep(3_000)
  const before = cpuSeconds(pid)
  await sleep(IDLE_SECONDS * 1_000)
  const cpuPercent = (100 * (cpuSeconds(pid) - before)) / IDLE_SECONDS
  const against =
    servers === 1 ? { against: { what: "MCSManager's daemon (earlier measurement)", value: PEER_MIB } } : {}
  const what = `${name}, ${servers} servers`
  return [
    { what: `${what}: memory of the agent`, value: residentMiB(pid), unit: 'MiB', ...against },
    { what: `${what}: CPU of statistics`, value: cpuPercent, unit: '% of a core', note: 'once a second' },
  ]
}

async function figuresOf(runtime: BenchRuntime): Promise<Figure[]> {
  const bench = await openAgentBench(runtime)
  const { name } = runtime
  try {
    const figures = [await emptyFigure(bench, name)]
    const serverIds = [await bench.addServer(1)]
    figures.push(...(await idleFigures(bench, name, 1)))
    for (let index = 2; index <= SERVERS; index += 1) serverIds.push(await bench.addServer(index))
    figures.push(...(await idleFigures(bench, name, SERVERS)))
    // A crowd needs as many addresses as a loopback has.
    if (name !== 'process') return figures
    figures.push(...(await crowdFigures(bench, serverIds, () => cpuSeconds(bench.agent.process.pid))))
    const memory = residentMiB(bench.agent.process.pid)
    return [...figures, { what: 'memory of the agent after the crowd', value: memory, unit: 'MiB' }]
  } finally {
    await bench.close()
  }
}

/** The agent with one and with fifty servers, then with a crowd that watches them all. */
export async function benchAgent(): Promise<Section> {
  const figures: Figure[] = []
  const { runtimes, missing = '' } = benchRuntimes()
  for (const runtime of runtimes) figures.push(...(await figuresOf(runtime)))
  const method = `CPU over ${IDLE_SECONDS} s while nobody watches; the watchers share the cores. ${missing}`.trim()
  return { title: 'Agent', method, figures }
}
