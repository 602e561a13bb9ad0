import { FILE_REFUSALS, type FileErrorBody } from '#contracts/panel/file-refusals.ts'
import type { NodePorts } from '#contracts/panel/node-ports.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/logger.ts'
import { FileFailure, refusalOf } from '../files/file-failure.ts'
import { listeningOn } from '../servers/listening.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import type { Asked } from './agent-router.ts'
import type { ConsoleTokens } from './console-token.ts'
import { FilePlaces } from './file-places.ts'
import { bearerOf, neededBy } from './file-requests.ts'
import { MissingPermission, refuseMissing } from './missing-permission.ts'
import { presentServer } from './present-server.ts'
import type { Revocations } from './revocations.ts'
import { SAFE_HEADERS } from './safe-headers.ts'

/** One look at the kernel's tables answers everybody who asks meanwhile. */
const KEPT_MS = 1_000
const RETRY_AFTER_SECONDS = 2

export interface PortsDoorDeps {
  readonly clock: Clock
  readonly log: Log
  readonly tokens: Pick<ConsoleTokens, 'readPorts'>
  readonly revocations: Pick<Revocations, 'covers'>
  find(serverId: string): ManagedServer | undefined
}

interface Look {
  readonly atMs: number
  readonly answer: Promise<NodePorts>
}

/** Tells the holders of tokens what listens on the ports of a server: of those that its specification names, and of no other. */
export class PortsDoor {
  readonly #deps: PortsDoorDeps
  readonly #places: FilePlaces
  readonly #looks = new Map<string, Look>()

  constructor(deps: PortsDoorDeps) {
    this.#deps = deps
    this.#places = new FilePlaces(deps.clock)
  }

  /** Resolves when the response has ended; never rejects. */
  async answer(asked: Asked): Promise<void> {
    const { request, response, headers } = asked
    const send = (status: number, body: object, more: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, { ...headers, ...SAFE_HEADERS, 'content-type': 'application/json', ...more })
      response.end(JSON.stringify(body))
      request.resume()
    }
    try {
      send(200, await this.#admitted(asked))
    } catch (error) {
      const code = refusalOf(error)
      if (code === 'INTERNAL') this.#deps.log.error({ err: error }, 'a request about ports failed')
      const permission = error instanceof MissingPermission ? { permission: error.permission } : {}
      const body: FileErrorBody = { error: { code, message: 'This is not possible.', ...permission } }
      send(FILE_REFUSALS[code], body, code === 'BUSY' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {})
    }
  }

  async #admitted({ routed, request }: Asked): Promise<NodePorts> {
    const { tokens, revocations, find } = this.#deps
    const { serverId, call } = routed
    const reading = await tokens.readPorts(bearerOf(request), serverId)
    if (!reading.ok || revocations.covers(reading.claims)) throw new FileFailure('INVALID_TOKEN')
    const server = presentServer(find(serverId))
    refuseMissing(reading.claims, neededBy(call))
    const leave = this.#places.take(reading.claims.sub, false)
    try {
      return await this.#look(server)
    } finally {
      leave()
    }
  }

  #look(server: ManagedServer): Promise<NodePorts> {
    const nowMs = this.#deps.clock.now()
    for (const [id, { atMs }] of this.#looks) if (Math.abs(nowMs - atMs) > KEPT_MS) this.#looks.delete(id)
    const known = this.#looks.get(server.core.id)
    if (known !== undefined) return known.answer
    const answer = listeningOn(server.core)
    this.#looks.set(server.core.id, { atMs: nowMs, answer })
    return answer
  }
}
