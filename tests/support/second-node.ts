import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { AGENT_ARGUMENTS } from '../../scripts/start/node-arguments.mjs'
import type { DemoFile } from './demo.ts'
import { environmentOf, programOf } from './demo-processes.ts'
import { callInternal } from './enrolled-agent.ts'
import { freePorts } from './free-port.ts'
import { startOwnProcess, type OwnProcess } from './own-process.ts'
import { signInStaff } from './staff.ts'
import { waitFor } from './wait-for.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Beside the users of the demo's own agent. */
const USERS_AFTER = 5_000
const FIRST_GAME_PORT = 26_600

export interface SecondNode {
  /** The address at which browsers reach the agent. */
  readonly url: string
  /** As the data folder of a demo: the agent's is `agent` in it. */
  readonly dataDir: string
  /** Ends the agent at once. Its servers run on, and nobody starts it again. */
  kill(): Promise<void>
  /** Starts the agent at its place, with its data. */
  start(): Promise<void>
  /** New servers go to the demo's own node again. */
  takeOffOffer(): Promise<void>
  close(): Promise<void>
}

/** Another machine of a running demo: a real agent with its own data folder and ports. New servers go there, for it has more room. */
export async function addSecondNode(demo: DemoFile, dataDir: string): Promise<SecondNode> {
  const [port = 0, healthPort = 0, sftpPort = 0] = await freePorts(3)
  const url = new URL(demo.agentUrl)
  url.port = String(port)
  const staff = await signInStaff(demo.url, demo.admin)
  const room = { availableMemoryMiB: 1_000_000, storageMiB: 10_000_000, cores: 64 }
  const place = { name: `second-${port}`, ip: '127.0.0.1', url: url.origin, startPort: FIRST_GAME_PORT, portCount: 50 }
  const computerId = await staff.save('computers', { ...place, ...room, orderable: true })
  const plane = environmentOf(programOf(dataDir, 'control-plane'))
  const { token } = await callInternal<{ token: string }>(
    { internalUrl: `http://127.0.0.1:${plane['CONTROL_PLANE_INTERNAL_PORT']}`, env: plane },
    'enrolment-token',
    { computerId },
  )
  const own = join(dataDir, `second-${port}`)
  mkdirSync(own, { mode: 0o711 })
  const of = environmentOf(programOf(dataDir, 'agent'))
  const env = {
    ...of,
    // Nobody holds its standard input.
    BAKTER_SUPERVISED: '',
    AGENT_PORT: String(port),
    AGENT_HEALTH_PORT: String(healthPort),
    SFTP_PORT: String(sftpPort),
    AGENT_DATA: join(own, 'agent'),
    AGENT_ENROLMENT_TOKEN: token,
    AGENT_STOP_SERVERS_ON_EXIT: '1',
    AGENT_UID_BASE: String(Number(of['AGENT_UID_BASE']) + USERS_AFTER),
  }
  let agent: OwnProcess | undefined
  const start = async (): Promise<void> => {
    if (agent?.isRunning() === true) return
    const args = ['--conditions=production', ...AGENT_ARGUMENTS, join(ROOT, 'dist/agent.mjs')]
    const started = startOwnProcess({ command: process.execPath, args, cwd: ROOT, env })
    agent = started
    await waitFor('the second agent', async () => {
      started.mustRun()
      return (await fetch(`http://127.0.0.1:${healthPort}/health/ready`)).ok
    })
  }
  await start()
  return {
    url: url.origin,
    dataDir: own,
    start,
    kill: async () => {
      agent?.signal('SIGKILL')
      await agent?.ended
      agent = undefined
    },
    takeOffOffer: async () => {
      await staff.save('computers', { orderable: false }, computerId)
    },
    close: async () => {
      await staff.close()
      // A dead agent takes no servers with it: they are the next one's to end.
      if (agent === undefined) await start()
      await agent?.stop(60_000)
    },
  }
}
