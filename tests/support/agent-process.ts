import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

import { AGENT_ARGUMENTS } from '../../scripts/start/node-arguments.mjs'
import { BUNDLING, bundleFromSource } from '../../agents/platform/bundles.ts'
import { freePorts } from './free-port.ts'
import { ownUsers } from './own-users.ts'
import { startOwnProcess, type OwnProcess } from './own-process.ts'
import { waitFor } from './wait-for.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Bundles the whole agent like a build: agent, shim and programs side by side, in a folder from which packages resolve.
 */
export const bundleAgent = async (): Promise<{ readonly bundle: string; remove(): void }> => {
  const folder = mkdtempSync(path.join(root, 'node_modules', '.agent-bundle-'))
  chmodSync(folder, 0o755)
  await bundleFromSource(folder)
  await build({
    entryPoints: [{ in: path.join(root, 'agents/main.ts'), out: 'agent' }],
    outdir: folder,
    ...BUNDLING,
  })
  return { bundle: path.join(folder, 'agent.mjs'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface AgentUnderTest {
  readonly port: number
  readonly healthPort: number
  readonly process: OwnProcess
  ready(): Promise<void>
}

/** Starts the agent as a separate process. It is ready when its health endpoint says so. */
export const startAgent = async (options: {
  readonly bundle: string
  readonly data: string
  readonly controlPlaneUrl: string
  readonly env?: Record<string, string>
  /** A network namespace for the process: maps the argv of a command to the argv of the command there. */
  readonly enter?: (command: string, ...args: string[]) => readonly [string, ...string[]]
}): Promise<AgentUnderTest> => {
  const [port = 0, healthPort = 0, sftpPort = 0] = await freePorts(3)
  const [command, ...args] = (options.enter ?? ((...argv) => argv))(
    process.execPath,
    ...AGENT_ARGUMENTS,
    options.bundle,
  )
  const process_ = startOwnProcess({
    command,
    args,
    env: {
      AGENT_DATA: options.data,
      AGENT_PORT: String(port),
      AGENT_HEALTH_PORT: String(healthPort),
      SFTP_PORT: String(sftpPort),
      CONTROL_PLANE_URL: options.controlPlaneUrl,
      AGENT_ENROLMENT_TOKEN: 'a'.repeat(43),
      AGENT_UID_BASE: String(ownUsers()),
      ...options.env,
    },
  })
  return {
    port,
    healthPort,
    process: process_,
    ready: async () => {
      await waitFor('the agent to be ready', async () => {
        process_.mustRun()
        const signal = AbortSignal.timeout(5_000)
        const answer = await fetch(`http://127.0.0.1:${healthPort}/health/ready`, { signal })
        if (!answer.ok) throw new Error(`${await answer.text()}\n${process_.output()}`)
        return true
      })
    },
  }
}
