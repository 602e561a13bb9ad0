import fs from 'node:fs'
import { Socket } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { systemClock } from '#platform/clock.ts'
import { FaultPlan } from '#platform/fault-plan.ts'
import { faultPointsOf } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import { HeldFolder } from '../../platform/held-folder.ts'
import { Unpacker } from '../archives/unpacker.ts'
import { OwnArea } from '../own-area.ts'
import { ServerRoot } from '../server-root.ts'
import { WorkerServer } from './worker-server.ts'
import { WORKER_FDS } from '../worker-wire.ts'

/** Games, the agent and its console lines go first where they compete for a core; unpackers inherit it. */
const NICENESS = 5

/** The unpacker's program, from the beginning of the file however often it was read. */
const inheritedProgram = (): Buffer => {
  const program = Buffer.alloc(fs.fstatSync(WORKER_FDS.unpacker).size)
  fs.readSync(WORKER_FDS.unpacker, program, 0, program.length, 0)
  return program
}

/**
 * Does the file operations of one server as the server's own user, in a process of its own: whatever goes wrong here can touch
 * nothing else, and no work here delays a console line.
 */
const main = async (): Promise<void> => {
  process.umask(0o022)
  // Below the agent's own niceness only root may go, and this is the server's user.
  setPriority(Math.max(getPriority(), NICENESS))
  const connection = new Socket({ fd: WORKER_FDS.connection, readable: true, writable: true })
  connection.on('error', () => {})
  const isClosed = new Promise((resolve) => connection.once('close', resolve))
  const root = new ServerRoot(await HeldFolder.inherited(WORKER_FDS.root))
  const area = await OwnArea.open(await HeldFolder.inherited(WORKER_FDS.area))
  const unpacker = new Unpacker(inheritedProgram)
  // Only an agent that is no production passes one on.
  const faults = faultPointsOf(FaultPlan.optional().parse(process.env['FAULT']))
  const deps = { root, area, ids: systemIds, faults, now: systemClock.now, unpacker }
  const server = new WorkerServer(deps)
  // The agent has ended, or wants this process to end. Jobs are cancelled by it, and what one puts back would be lost with its parts.
  void isClosed.then(() => server.settled()).finally(() => process.exit(0))
  await server.serve(connection)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
