import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAgentBench, type AgentBench } from './agent-bench.ts'
import { crowdFigures } from './console.ts'
import type { Figure, Section } from './report.ts'

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

/** Memory and CPU of the agent while its servers run and nobody watches: what is left is the measuring of statistics. */
async function idleFigures(bench: AgentBench, servers: number): Promise<Figure[]> {
  const { pid } = bench.agent.process
  await sleep(3_000)
  const before = cpuSeconds(pid)
  await sleep(IDLE_SECONDS * 1_000)
  const cpuPercent = (100 * (cpuSeconds(pid) - before)) / IDLE_SECONDS
  const against =
    servers === 1 ? { against: { what: "MCSManager's daemon (earlier measurement)", value: PEER_MIB } } : {}
  return [
    { what: `memory of the agent, ${servers} servers`, value: residentMiB(pid), unit: 'MiB', ...against },
    { what: `CPU of statistics, ${servers} servers`, value: cpuPercent, unit: '% of a core', note: 'once a second' },
  ]
}

/** The agent with one and with fifty servers, then with a crowd that watches them all. */
export async function benchAgent(): Promise<Section> {
  const bench = await openAgentBench({ name: 'process', env: { AGENT_RUNTIME: 'process' } })
  try {
    const serverIds = [await bench.addServer(1)]
    const figures = await idleFigures(bench, 1)
    for (let index = 2; index <= SERVERS; index += 1) serverIds.push(await bench.addServer(index))
    figures.push(...(await idleFigures(bench, SERVERS)))
    figures.push(...(await crowdFigures(bench, serverIds, () => cpuSeconds(bench.agent.process.pid))))
    const memory = residentMiB(bench.agent.process.pid)
    figures.push({ what: 'memory of the agent after the crowd', value: memory, unit: 'MiB' })
    return {
      title: 'Agent',
      method: `Process runtime. CPU over ${IDLE_SECONDS} s while nobody watches; the watchers share the cores.`,
      figures,
    }
  } finally {
    await bench.close()
  }
}
