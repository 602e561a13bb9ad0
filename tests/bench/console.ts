import { waitFor } from '../support/wait-for.ts'
import { openAgentBench, type AgentBench, type BenchConsole } from './agent-bench.ts'
import { percentile, type Figure, type Section } from './report.ts'
import { benchRuntimes, type BenchRuntime } from './runtimes.ts'

/** MCSManager's daemon (earlier measurement): median and 99th percentile in ms, lost lines in percent. */
const PEER = { medianMs: 26, p99Ms: 50, lostPercent: 0.65, burstLostPercent: 97 }
const RATES = [1_000, 10_000]
const SECONDS = 5
const WARM_UP_LINES = 500
const BURST_LINES = 200_000
const WATCHERS_OF_ONE = 30
const CROWD = { watchers: 1_000, rate: 20 }

type Watch = { delaysMs: number[]; counted: number; finished: boolean }
type Message = { event: string; args: [[number, number, string, string][] | number] }

let runs = 0

/** Collects the lines of one run: how long each was on its way. Lines of earlier runs are history, and left out. */
function watchRun(console_: BenchConsole, run: number): Watch {
  const state: Watch = { delaysMs: [], counted: 0, finished: false }
  const mark = `t ${run} `
  console_.socket.on('message', (data) => {
    const at = performance.timeOrigin + performance.now()
    const text = String(data)
    if (text.startsWith('{"event":"dropped"')) state.counted += Number((JSON.parse(text) as Message).args[0])
    if (!text.startsWith('{"event":"console output"')) return
    const [lines] = (JSON.parse(text) as Message).args
    if (typeof lines === 'number') return
    for (const [, , , line] of lines) {
      if (line === `printed by ${run}`) state.finished = true
      if (line.startsWith(mark)) state.delaysMs.push(at - Number(line.slice(mark.length)))
    }
  })
  return state
}

/** Every watcher's lines of one run. The command goes through the first one's console. */
export async function measureRun(
  watchers: readonly BenchConsole[],
  commandOf: (run: number) => string,
): Promise<Watch[]> {
  runs += 1
  const run = runs
  const states = watchers.map((watcher) => watchRun(watcher, run))
  watchers[0]?.command(commandOf(run))
  await waitFor('the last line', () => states.every((state) => state.finished), 120_000)
  for (const { socket } of watchers) socket.removeAllListeners('message')
  return states
}

const peer = (value: number) => ({ what: "MCSManager's daemon (earlier measurement, 1,000 lines/s)", value })

const delayFigures = (what: string, states: readonly Watch[], against: boolean): Figure[] => {
  const delaysMs = states.flatMap((state) => state.delaysMs)
  const beside = (value: number) => (against ? { against: peer(value) } : {})
  return [
    { what: `${what}, median`, value: percentile(delaysMs, 0.5), unit: 'ms', ...beside(PEER.medianMs) },
    { what: `${what}, 99th percentile`, value: percentile(delaysMs, 0.99), unit: 'ms', ...beside(PEER.p99Ms) },
  ]
}

const lostFigure = (what: string, printed: number, states: readonly Watch[], note: string): Figure => {
  const missing = states.map((state) => printed - state.delaysMs.length - state.counted)
  const lost = missing.reduce((sum, count) => sum + count, 0)
  return { what: `${what}, lost without a count`, value: (100 * lost) / (printed * states.length), unit: '%', note }
}

async function ratesOf(bench: AgentBench, serverId: string, runtime: BenchRuntime): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const rate of RATES) {
    const watcher = await bench.openConsole(serverId)
    await measureRun([watcher], (run) => `go ${WARM_UP_LINES} 1 ${run}`)
    const states = await measureRun([watcher], (run) => `go ${rate} ${SECONDS} ${run}`)
    const what = `${runtime.name}, ${rate} lines/s`
    figures.push(...delayFigures(what, states, true))
    figures.push(lostFigure(what, rate * SECONDS, states, `MCSManager's daemon loses ${PEER.lostPercent} % at 10,000`))
    watcher.close()
  }
  return figures
}

async function burstOf(bench: AgentBench, serverId: string, runtime: BenchRuntime): Promise<Figure[]> {
  const watcher = await bench.openConsole(serverId)
  const start = performance.now()
  const states = await measureRun([watcher], (run) => `burst ${BURST_LINES} ${run}`)
  const seconds = (performance.now() - start) / 1_000
  watcher.close()
  const what = `${runtime.name}, burst of ${BURST_LINES} lines`
  const counted = states[0]?.counted ?? 0
  return [
    lostFigure(what, BURST_LINES, states, `MCSManager's daemon loses ${PEER.burstLostPercent} % and says nothing`),
    { what: `${what}, counted as dropped`, value: counted, unit: 'lines' },
    { what: `${what}, until the last line`, value: seconds, unit: 's' },
  ]
}

async function watchersOfOne(bench: AgentBench, serverId: string, runtime: BenchRuntime): Promise<Figure[]> {
  const watchers: BenchConsole[] = []
  for (let index = 0; index < WATCHERS_OF_ONE; index += 1) watchers.push(await bench.openConsole(serverId, index))
  const states = await measureRun(watchers, (run) => `go 1000 ${SECONDS} ${run}`)
  for (const watcher of watchers) watcher.close()
  const what = `${runtime.name}, ${WATCHERS_OF_ONE} watchers of one server, 1000 lines/s`
  return [...delayFigures(what, states, false), lostFigure(what, 1_000 * SECONDS, states, '')]
}

/** Time from a server's print to the browser's socket, for each runtime of this machine. */
export async function benchConsole(): Promise<Section> {
  const figures: Figure[] = []
  const { runtimes, missing } = benchRuntimes()
  for (const runtime of runtimes) {
    const bench = await openAgentBench(runtime)
    try {
      const serverId = await bench.addServer(1)
      figures.push(...(await ratesOf(bench, serverId, runtime)))
      figures.push(...(await burstOf(bench, serverId, runtime)))
      figures.push(...(await watchersOfOne(bench, serverId, runtime)))
    } finally {
      await bench.close()
    }
  }
  return {
    title: 'Console',
    method: [
      `One server; ${SECONDS} s a rate; from the print in the server to the message in the reader's socket.`,
      'The readers share the cores.',
      ...(missing === undefined ? [] : [missing]),
    ].join(' '),
    figures,
  }
}

/** 1,000 watchers over servers that all print. `cpuSeconds` tells what the agent has used so far. */
export async function crowdFigures(
  bench: AgentBench,
  serverIds: readonly string[],
  cpuSeconds: () => number,
): Promise<Figure[]> {
  const rooms = serverIds.map((): BenchConsole[] => [])
  for (let index = 0; index < CROWD.watchers; index += 1) {
    const room = index % serverIds.length
    rooms[room]?.push(await bench.openConsole(serverIds[room] ?? '', index))
  }
  const start = { cpu: cpuSeconds(), at: performance.now() }
  const states = await Promise.all(rooms.map((room) => measureRun(room, (run) => `go ${CROWD.rate} ${SECONDS} ${run}`)))
  const cpuPercent = (100 * (cpuSeconds() - start.cpu)) / ((performance.now() - start.at) / 1_000)
  for (const watcher of rooms.flat()) watcher.close()
  const what = `${CROWD.watchers} watchers over ${serverIds.length} servers, ${CROWD.rate} lines/s each`
  return [
    ...delayFigures(what, states.flat(), false),
    lostFigure(what, CROWD.rate * SECONDS, states.flat(), ''),
    { what: `${what}, CPU of the agent`, value: cpuPercent, unit: '% of a core' },
  ]
}
