import { chmodSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { pidsWithEnvironment } from '../../agents/platform/process-identity.ts'
import { addServer } from '../factories/fleet.ts'
import { platformDatabase, type PlatformDatabase } from '../factories/platform-database.ts'
import { startProgram, type TestProgram } from '../factories/program.ts'
import { buildServerSpec } from '../factories/server-spec.ts'
import { scratchFolder } from './agent-bundles.ts'
import { bundleAgent } from './agent-process.ts'
import { startEnrolledAgent, type EnrolledAgent } from './enrolled-agent.ts'

/** A real control plane on a separate database, and real agents that enrol at it. */
export interface EnrolledFleet {
  readonly database: PlatformDatabase
  readonly plane: TestProgram
  /** The agent connects to `url`. */
  readonly startAgent: (options?: {
    readonly url?: string
    readonly env?: Record<string, string>
  }) => Promise<EnrolledAgent>
  /** A server of the test game on an agent's node. Returns its id. */
  readonly addGame: (agent: EnrolledAgent, identifier: string, power: 'running' | 'stopped') => Promise<string>
  readonly stateOf: (serverId: string) => Promise<string | undefined>
  readonly close: () => Promise<void>
}

export const openEnrolledFleet = async (): Promise<EnrolledFleet> => {
  const bundled = await bundleAgent()
  const scratch = scratchFolder()
  chmodSync(scratch.path, 0o755)
  const database = await platformDatabase()
  const plane = await startProgram(database.url)
  return {
    database,
    plane,
    startAgent: (options = {}) =>
      startEnrolledAgent({ database, plane, bundle: bundled.bundle, folder: scratch.path, ...options }),
    addGame: async ({ nodeId }, identifier, power) => {
      const built = buildServerSpec({ identifier, environment: { GAME_PORT: '0' } })
      const { id: _id, generation: _generation, ...spec } = built
      return (await addServer(database.owner, nodeId, { power, spec })).id
    },
    stateOf: async (serverId) => {
      const [row] = await database.owner.query<{ state: string }>(
        'select state from control.server_state where server_id = $1',
        [serverId],
      )
      return row?.state
    },
    close: async () => {
      await plane.process.stop()
      await database.close()
      bundled.remove()
      scratch.remove()
    },
  }
}

const rootOf = ({ data }: EnrolledAgent, identifier: string): string => path.join(data, 'servers', identifier, 'root')

/** The number of the server's processes on this machine. */
export const processesOf = (agent: EnrolledAgent, identifier: string): number =>
  pidsWithEnvironment(`HOME=${rootOf(agent, identifier)}`).length

/** How often the server's program began; undefined once its folder is gone. */
export const beginningsOf = (agent: EnrolledAgent, identifier: string): number | undefined => {
  const root = rootOf(agent, identifier)
  const file = path.join(root, 'starts.txt')
  if (existsSync(file)) return readFileSync(file, 'utf8').split('\n').length - 1
  return existsSync(root) ? 0 : undefined
}
