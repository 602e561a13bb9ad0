import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './free-port.ts'
import { assertOwnListener, startOwnProcess, type OwnProcess } from './own-process.ts'

export type DemoAccount = { username: string; password: string }
/** What `npm start` writes to `<data>/demo.json`. */
export type DemoFile = {
  url: string
  gatewayUrl: string
  agentUrl: string
  admin: DemoAccount
  customer: DemoAccount
  support: DemoAccount
}
export type ProgramName = 'site' | 'control-plane' | 'agent'

const PORT_VARIABLES = [
  'PORT',
  'SITE_HEALTH_PORT',
  'CONTROL_PLANE_PORT',
  'CONTROL_PLANE_INTERNAL_PORT',
  'AGENT_PORT',
  'AGENT_HEALTH_PORT',
] as const
type PortVariable = (typeof PORT_VARIABLES)[number]

const START_WITHIN_MS = 600_000
const STOP_WITHIN_MS = 150_000

/** A whole Bakter as `npm start` runs it: own data folder, own ports, own processes. */
export class Product {
  readonly data: string
  readonly ports: Record<PortVariable, number>
  #supervisor: OwnProcess | undefined
  #environment: Record<string, string>
  #demo: DemoFile | undefined

  private constructor(data: string, ports: Record<PortVariable, number>, environment: Record<string, string>) {
    this.data = data
    this.ports = ports
    this.#environment = environment
  }

  /** Takes free ports and a new data folder; nothing runs yet. */
  static async create(environment: Record<string, string> = {}): Promise<Product> {
    const data = await mkdtemp(join(tmpdir(), 'bakter-product-'))
    const ports = {} as Record<PortVariable, number>
    const free = await freePorts(PORT_VARIABLES.length)
    PORT_VARIABLES.forEach((variable, at) => (ports[variable] = free[at] ?? 0))
    return new Product(data, ports, environment)
  }

  get demo(): DemoFile {
    if (!this.#demo) throw new Error('The product has not started.')
    return this.#demo
  }

  get supervisor(): OwnProcess {
    if (!this.#supervisor) throw new Error('The product has not started.')
    return this.#supervisor
  }

  /** Runs `npm start`'s program and waits until it says that it is ready. */
  async start(environment: Record<string, string> = {}): Promise<void> {
    const ports = Object.fromEntries(PORT_VARIABLES.map((variable) => [variable, String(this.ports[variable])]))
    this.#supervisor = startOwnProcess({
      command: process.execPath,
      args: ['scripts/start.mjs'],
      env: { BAKTER_DATA: this.data, AGENT_RUNTIME: 'process', ...ports, ...this.#environment, ...environment },
    })
    await this.#supervisor.waitForOutput('Bakter is ready', START_WITHIN_MS)
    this.#demo = JSON.parse(await readFile(join(this.data, 'demo.json'), 'utf8')) as DemoFile
    assertOwnListener(this.ports.PORT, this.#supervisor.pid)
  }

  /** Ctrl-C, as a person would. */
  async stop(): Promise<void> {
    if (!this.#supervisor?.isRunning()) return
    this.#supervisor.signal('SIGINT')
    const late = setTimeout(() => this.#supervisor?.signal('SIGKILL'), STOP_WITHIN_MS)
    await this.#supervisor.ended
    clearTimeout(late)
  }

  /** Ends it and deletes its data. */
  async destroy(): Promise<void> {
    await this.stop()
    await rm(this.data, { recursive: true, force: true })
  }

  /** The process id of one program, looked up among the supervisor's children. */
  pidOf(program: ProgramName): number {
    const found = descendantsOf(this.supervisor.pid).find((pid) => commandLineOf(pid).includes(`dist/${program}.mjs`))
    if (found === undefined) throw new Error(`${program} does not run.`)
    return found
  }

  /** Ids of every process that belongs to this product now, shims and servers included. */
  processIds(): number[] {
    return allProcesses().filter(
      (pid) => environmentOf(pid).includes(this.data) || commandLineOf(pid).includes(this.data),
    )
  }

  kill(program: ProgramName, signal: NodeJS.Signals = 'SIGKILL'): void {
    process.kill(this.pidOf(program), signal)
  }

  async log(program: ProgramName): Promise<string> {
    return readFile(join(this.data, 'logs', `${program}.log`), 'utf8').catch(() => '')
  }
}

const allProcesses = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const readProc = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

const commandLineOf = (pid: number): string => readProc(pid, 'cmdline').replaceAll('\0', ' ')
const environmentOf = (pid: number): string => readProc(pid, 'environ').replaceAll('\0', '\n')

const parentOf = (pid: number): number => {
  const stat = readProc(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function descendantsOf(root: number): number[] {
  const parents = new Map(allProcesses().map((pid) => [pid, parentOf(pid)]))
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && (parent === root || (parent > 1 && isBelow(parent)))
  }
  return [...parents.keys()].filter(isBelow)
}
