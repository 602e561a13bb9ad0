import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { DEMO_PORTS, startDemo, type Demo } from './demo.ts'
import { freePorts } from './free-port.ts'

/** Where the demos of the end-to-end tests have their data. */
export const DEMOS = fileURLToPath(new URL('../../.build/e2e', import.meta.url))

const RESERVED = 'BAKTER_E2E_PORTS'
const FIRST_GAME_PORT = 25_565
const GAME_PORTS = 100
const FIRST_USER = 410_000
const USERS = 10_000

/** The listeners of a demo, and where a test may stand in for Discord. */
const EACH = [...DEMO_PORTS, 'DISCORD']

/** Looks for the ports of all workers at once, so that no two get the same; workers read them from the environment. */
export async function reservePorts(workers: number): Promise<void> {
  process.env[RESERVED] = (await freePorts(workers * EACH.length)).join(',')
}

export interface WorkerDemo {
  readonly demo: Demo
  /** Nothing listens there until a test stands in for Discord. */
  readonly discordPort: number
}

/**
 * A demo with an empty data folder for one worker: tests may kill its programs and change its settings without meeting those
 * of another worker. `slot` counts the workers that run at once, `worker` all there have been: the data of one whose test
 * has failed stays.
 */
export async function startWorkerDemo({ slot, worker }: { slot: number; worker: number }): Promise<WorkerDemo> {
  const reserved = process.env[RESERVED]?.split(',').map(Number) ?? []
  const own = reserved.slice(slot * EACH.length, (slot + 1) * EACH.length)
  const discordPort = own.at(-1)
  if (discordPort === undefined) throw new Error('The global set-up has reserved no ports for this worker.')
  const firstGamePort = FIRST_GAME_PORT + slot * GAME_PORTS
  const demo = await startDemo({
    dataDir: join(DEMOS, String(worker)),
    ports: Object.fromEntries(DEMO_PORTS.map((name, at) => [name, own[at] ?? 0])),
    env: {
      DISCORD_URL: `http://127.0.0.1:${discordPort}`,
      GAME_PORTS: `${firstGamePort}-${firstGamePort + GAME_PORTS - 1}`,
      // An agent ends what its servers leave behind by their users.
      AGENT_UID_BASE: String(FIRST_USER + slot * USERS),
    },
  })
  return { demo, discordPort }
}
