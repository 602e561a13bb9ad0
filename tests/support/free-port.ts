import { createServer, type Server } from 'node:net'

import { testWorker } from './test-worker.ts'

/**
 * Where programs under test listen: below the ports that the kernel hands out, so that no connection of anybody and no
 * listener on port 0 takes one between the look and the program's own bind. Above stand the games' own ports.
 */
const FIRST = 11_000
const EACH_WORKER = 1_400

/** Test files run side by side: each worker looks in a part of its own. */
const worker = testWorker()

// Not from the first: what an earlier file of this worker has just left is looked at last.
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

/** A TCP port of 127.0.0.1 that nothing listens on, and that no other test of this run is given meanwhile. */
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
