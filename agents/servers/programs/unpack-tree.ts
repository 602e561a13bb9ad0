import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as pause } from 'node:timers/promises'

const TRIES = 5
/** The agent may be restarting. */
const PAUSE_MS = 1_000

/** Unpacks into the working folder with the system's tar, which needs a quarter of the time that JavaScript does. */
const untar = async (archive: Readable): Promise<void> => {
  const tar = spawn('tar', ['-x', '-f', '-'], { stdio: ['pipe', 'inherit', 'inherit'] })
  // On a node without tar both of them reject.
  const [[code]] = await Promise.all([once(tar, 'close') as Promise<[number | null]>, pipeline(archive, tar.stdin)])
  if (code !== 0) throw new Error(`tar ended with exit code ${code}`)
}

/**
 * Unpacks a prepared tree of packages from the node's registry into the working folder, in place of earlier packages. Resolves with
 * false where the node has none: npm installs them then.
 */
export const unpackTree = async (name: string): Promise<boolean> => {
  const registry = process.env['npm_config_registry']
  if (registry === undefined) return false
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    try {
      const answer = await fetch(`${registry}/-/tree/${name}`)
      if (!answer.ok || answer.body === null) {
        if (answer.status < 500) return false
        throw new Error(`the node answered ${answer.status}`)
      }
      console.log("Unpacking the node's prepared copy")
      rmSync('node_modules', { recursive: true, force: true })
      await untar(Readable.fromWeb(answer.body as ReadableStream))
      return true
    } catch (error) {
      console.log(`The prepared copy could not be unpacked: ${error instanceof Error ? error.message : String(error)}`)
      await pause(PAUSE_MS)
    }
  }
  rmSync('node_modules', { recursive: true, force: true })
  return false
}
