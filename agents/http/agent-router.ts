import type { IncomingMessage, ServerResponse } from 'node:http'
import { AGENT_HTTP, type AgentCall } from '#contracts/panel/agent-http.ts'

/** A server, what is asked of it, and the upload, if the path names one. */
const PATH = /^\/servers\/([0-9a-f-]{36})(\/.*?)(?:\/([0-9a-f-]{36}))?$/

const CALLS = new Map<string, AgentCall[]>()
for (const call of AGENT_HTTP) CALLS.set(call.path, [...(CALLS.get(call.path) ?? []), call])

/** A request, by the row of the table that it asks for. */
export interface Routed {
  readonly call: AgentCall
  /** Empty for a call that is about no server. */
  readonly serverId: string
  /** Empty for a call that is about no upload. */
  readonly uploadId: string
  readonly query: URLSearchParams
}

/** A request of the table, and headers that are part of every answer to it. */
export interface Asked {
  readonly routed: Routed
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: Readonly<Record<string, string>>
}

/** The rows of the table at the path of a request, for every method. */
export interface PathCalls {
  readonly calls: readonly AgentCall[]
  /** The row with this method. */
  routed(method: string | undefined): Routed | undefined
}

/** Finds the path of an address in the table; undefined for one that it does not have. */
export const routeOf = (url: string | undefined): PathCalls | undefined => {
  const [address = '', query] = (url ?? '').split('?')
  const [, serverId = '', rest = '', uploadId = ''] = PATH.exec(address) ?? []
  const path = serverId === '' ? address : `/servers/{id}${rest}${uploadId === '' ? '' : '/{upload}'}`
  const calls = CALLS.get(path)
  if (calls === undefined || path.includes('{id}') !== (serverId !== '')) return undefined
  // The text of a row's path is no address.
  if (path.includes('{upload}') !== (uploadId !== '')) return undefined
  return {
    calls,
    routed: (method) => {
      const call = calls.find((each) => each.method === method)
      return call === undefined ? undefined : { call, serverId, uploadId, query: new URLSearchParams(query) }
    },
  }
}
