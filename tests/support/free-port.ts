import { createServer, type Server } from 'node:net'

import { testWorker } from './test-worker.ts'

/**
 * Ports of programs under test: below the ports that the kernel assigns, so that no connection and no listener on port
 * 0 takes one between the check and the program's own bind. The games' own ports are above.
 */
const FIRST = 11_000
const EACH_WORKER = 1_400

/** Test files run in parallel: each worker searches a separate range. */
const worker = testWorker()

// Starts at a random port, so that ports just released by an earlier file of this worker are tried last.
let next = Math.floor(Math.random() * EACH_WORKER)

const nextPort = (): number => {
  next = (next + 1) % EACH_WORKER
  return FIRST + worker * EACH_WORKER + next
}

const listensOn = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  if (!(await listensOn(server, port))) return false
  await new Promise((done) => server.close(done))
  return true
}

/** A TCP port of 127.0.0.1 that nothing listens on, and that no other test of this run gets meanwhile. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < EACH_WORKER; tried += 1) {
    const port = nextPort()
    if (await isFree(port)) return port
  }
  throw new Error(`All ${EACH_WORKER} ports of this worker are taken.`)
}

/** `count` different free ports. */
export const freePorts = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()))
