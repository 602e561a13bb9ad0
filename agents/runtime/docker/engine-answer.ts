import { AgentError } from '../../platform/agent-error.ts'

/**
 * Why the engine did not carry out a request.
 *
 * - `UNREACHABLE`: the outcome is unknown. The engine hangs, is down, or too many calls wait for it. It says nothing
 * about any container: the caller must not conclude that a server has ended.
 * - `NOT_FOUND`: the container, image or network does not exist.
 * - `CONFLICT`: a name is taken, or the object's state does not allow it.
 * - `REFUSED`: the engine would not or could not do it.
 */
export const ENGINE_REFUSALS = ['UNREACHABLE', 'NOT_FOUND', 'CONFLICT', 'REFUSED'] as const
export type EngineRefusal = (typeof ENGINE_REFUSALS)[number]

export type EngineAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: EngineRefusal; readonly message: string }

const fieldOf = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? (Reflect.get(error, name) as unknown) : undefined

/** The engine's own message, without the client's prefix. */
const messageOf = (error: unknown): string => {
  const told = fieldOf(fieldOf(error, 'json'), 'message')
  if (typeof told === 'string' && told !== '') return told
  return error instanceof Error ? error.message.trim() : String(error)
}

const BY_STATUS: Readonly<Record<number, EngineRefusal>> = { 404: 'NOT_FOUND', 409: 'CONFLICT', 503: 'UNREACHABLE' }
/** The engine's words in a 500 while its containerd is gone; the outcome of the call is then unknown. */
const LOST_CONTAINERD =
  /containerd[^ ]*\.sock|transport is closing|code = Unavailable|ttrpc: closed|shim.*(disconnect|closed)/i

/** Converts an exception of the client. An error without an HTTP status means that there was no response. */
export const refusalOf = (error: unknown): EngineAnswer<never> => {
  const status = fieldOf(error, 'statusCode')
  const message = messageOf(error)
  if (typeof status !== 'number') return { ok: false, code: 'UNREACHABLE', message }
  if (status >= 500 && LOST_CONTAINERD.test(message)) return { ok: false, code: 'UNREACHABLE', message }
  return { ok: false, code: BY_STATUS[status] ?? 'REFUSED', message }
}

/** The value, or an AgentError: `RUNTIME_UNREACHABLE` (retryable) or `RUNTIME_REFUSED`. */
export const valueOf = <T>(answer: EngineAnswer<T>, what: string): T => {
  if (answer.ok) return answer.value
  const isUnreachable = answer.code === 'UNREACHABLE'
  throw new AgentError(
    isUnreachable ? 'RUNTIME_UNREACHABLE' : 'RUNTIME_REFUSED',
    `Docker did not ${what}: ${answer.message}`,
    { retryable: isUnreachable },
  )
}

/** The oldest API version with everything that the driver uses: Docker 20.10. */
export const OLDEST_API_VERSION = '1.41'

const numbersOf = (version: string): readonly [number, number] | undefined => {
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? []
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)]
}

/** Why an engine with this `apiVersion` is not supported, as one sentence for the operator; undefined if it is. */
export const refuseVersion = (apiVersion: string, engineVersion: string): string | undefined => {
  const offered = numbersOf(apiVersion)
  const needed = numbersOf(OLDEST_API_VERSION)
  if (offered === undefined || needed === undefined)
    return `Docker calls its interface "${apiVersion}", which is no version.`
  const isNewEnough = offered[0] > needed[0] || (offered[0] === needed[0] && offered[1] >= needed[1])
  if (isNewEnough) return undefined
  return `Docker ${engineVersion} (API ${apiVersion}) is too old: Bakter needs Docker 20.10 (API ${OLDEST_API_VERSION}) or newer.`
}
