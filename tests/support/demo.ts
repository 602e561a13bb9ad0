import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { freePorts } from './free-port.ts'
import { startOwnProcess, type OwnProcess } from './own-process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Account {
  username: string
  password: string
}

/** The facts that `npm start` writes to `<data>/demo.json`. */
export interface DemoFile {
  url: string
  gatewayUrl: string
  agentUrl: string
  admin: Account
  customer: Account
  support: Account
}

export interface Demo {
  dataDir: string
  /** Variable -> port, as given to `npm start`. */
  ports: Record<string, number>
  supervisor: OwnProcess
  file: DemoFile
  /** Ctrl-C, and wait until everything has ended. */
  stop(): Promise<void>
}

export interface StartDemoOptions {
  /** Kept when the demo stops; made when it does not exist. */
  dataDir: string
  ports?: Record<string, number>
  env?: Record<string, string>
  /** argv that runs the command elsewhere, for example in a network namespace. */
  enter?: (command: string, ...args: string[]) => readonly [string, ...string[]]
  timeoutMs?: number
}

/** The listeners of a demo. */
export const DEMO_PORTS = [
  'PORT',
  'SITE_HEALTH_PORT',
  'CONTROL_PLANE_PORT',
  'CONTROL_PLANE_INTERNAL_PORT',
  'AGENT_PORT',
  'AGENT_HEALTH_PORT',
  'SFTP_PORT',
]

/** Free ports for all listeners of the demo. */
export async function demoPorts(): Promise<Record<string, number>> {
  const ports = await freePorts(DEMO_PORTS.length)
  return Object.fromEntries(DEMO_PORTS.map((name, at) => [name, ports[at] ?? 0]))
}

/** Runs `npm start` in a separate data folder and on separate ports, and resolves when it is ready. */
export async function startDemo(options: StartDemoOptions): Promise<Demo> {
  const { dataDir, timeoutMs = 600_000 } = options
  const ports = options.ports ?? (await demoPorts())
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  const demoFile = join(dataDir, 'demo.json')
  rmSync(join(dataDir, 'ready'), { force: true })
  const variables = Object.entries(ports).map(([name, port]) => [name, String(port)])
  const { enter = (command, ...args) => [command, ...args] } = options
  const [command, ...args] = enter(process.execPath, join(ROOT, 'scripts/start.mjs'))
  const supervisor = startOwnProcess({
    command,
    args,
    cwd: ROOT,
    env: { BAKTER_DATA: dataDir, ...Object.fromEntries(variables), ...options.env },
  })
  try {
    await supervisor.waitForOutput('Ctrl-C stops everything.', timeoutMs)
  } catch (error) {
    await supervisor.stop(120_000)
    throw error
  }
  if (!existsSync(demoFile)) throw new Error(`npm start wrote no ${demoFile}.`)
  return {
    dataDir,
    ports,
    supervisor,
    file: JSON.parse(readFileSync(demoFile, 'utf8')) as DemoFile,
    stop: async () => {
      // A terminal's Ctrl-C arrives twice: npm forwards the signal that the terminal has sent to every process. Where this machine pauses in
      // between, the second one would be a second Ctrl-C.
      const pressedAtMs = performance.now()
      supervisor.signal('SIGINT')
      await new Promise((done) => setTimeout(done, 50))
      if (performance.now() - pressedAtMs < 500) supervisor.signal('SIGINT')
      await supervisor.stop(150_000)
    },
  }
}
