import fs from 'node:fs'
import path from 'node:path'
import type { Log } from '#platform/logger.ts'
import type { Timers } from '../../platform/timers.ts'
import type { ManagedServer } from '../../servers/managed-server.ts'
import type { ServerFiles } from '../server-files.ts'
import { answeredJson } from '../worker-answers.ts'

const EVERY_MS = 3_600_000

interface UploadSweeperDeps {
  readonly timers: Timers
  readonly log: Log
  readonly files: Pick<ServerFiles, 'use'>
  servers(): readonly ManagedServer[]
}

/** Frees the storage of uploads that nobody went on with, also of servers whose files nobody opens. */
export class UploadSweeper {
  readonly #deps: UploadSweeperDeps

  constructor(deps: UploadSweeperDeps) {
    this.#deps = deps
  }

  /** Returns how to end it. */
  start(): () => void {
    return this.#deps.timers.every(EVERY_MS, () => void this.sweep())
  }

  /** One server after the other, because each takes a worker; a server that fails is tried again in an hour. */
  async sweep(): Promise<void> {
    const { servers, files, log } = this.#deps
    for (const server of servers().filter(hasUploads)) {
      await files
        .use(server, async (session) => {
          const stream = session.request({ ':method': 'POST', ':path': '/upload/sweep' })
          stream.end()
          await answeredJson(stream)
        })
        .catch((error: unknown) => {
          log.warn({ err: error, serverId: server.core.id }, 'uploads that expired could not be removed')
        })
    }
  }
}

/** Names alone decide: everything in the area is read by a process of the server's user. */
const hasUploads = ({ core }: ManagedServer): boolean => {
  try {
    return fs.readdirSync(path.join(core.layout.files, 'uploads')).length > 0
  } catch {
    return false
  }
}
