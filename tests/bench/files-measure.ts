import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { JobKind } from '../../src/contracts/panel/file-jobs.ts'
import type { NodeFileInput } from '../../src/contracts/panel/node-files.ts'
import type { FilesRig } from '../support/files-rig.ts'
import type { Figure } from './report.ts'

const NANOSECONDS_A_MS = 1e6
const SFTP_SERVER = '/usr/lib/openssh/sftp-server'

export const seconds = async (run: () => unknown): Promise<number> => {
  const startMs = performance.now()
  await run()
  return (performance.now() - startMs) / 1_000
}

/** The same, with the 99th percentile of this program's event loop meanwhile: the doors of the node run in it. */
export const withLoop = async (run: () => unknown): Promise<{ took: number; loopMs: number }> => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const took = await seconds(run)
  delay.disable()
  return { took, loopMs: delay.percentile(99) / NANOSECONDS_A_MS }
}

/** A job that must succeed: the time of a refusal is no figure. The node has measured the storage just before. */
export const done = async <Kind extends JobKind>(
  files: FilesRig,
  kind: Kind,
  input: NodeFileInput<Kind>,
): Promise<void> => {
  files.usage = { bytes: 0, ownBytes: 0 }
  const job = await files.job(kind, input)
  if (job.state !== 'done' || job.refusals.some((refusal) => refusal !== null)) {
    throw new Error(`${kind}: ${job.state} ${job.refusal ?? ''}`)
  }
}

export const inRoot = ({ root }: FilesRig, name: string): string => path.join(root, name)
export const remove = (target: string): void => fs.rmSync(target, { recursive: true, force: true })

/** OpenSSH's client with its own server as a child process: the same client and the same disk, without encryption and a node. */
export const plainSftp = (folder: string, commands: readonly string[]): void => {
  const batch = path.join(folder, 'plain-batch')
  fs.writeFileSync(batch, commands.join('\n'))
  execFileSync('sftp', ['-b', batch, '-D', SFTP_SERVER], { stdio: 'ignore' })
}

/** How long the event loop of the node's doors was held while something went on. */
export const loopFigure = (what: string, loopMs: number): Figure => ({
  what: `event loop meanwhile, p99: ${what}`,
  value: loopMs,
  unit: 'ms',
  against: { what: 'goal', value: 20 },
})
