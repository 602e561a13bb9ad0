import { AGENT_SHUTDOWN_REQUEST } from '#contracts/agent/session.ts'
import type { ServerState } from '#domain/servers/server-lifecycle.ts'

type OpenPower = { readonly kind: string; readonly action: string | null }

/**
 * The desired power state implied by an observed state. People also start and stop servers on the node's own socket;
 * the database adopts that, because the reconcile loop would otherwise work against them. A stop is a person's unless
 * one of our commands is open, or the agent itself is shutting down: then the server is to run again when it returns.
 */
export function adoptedPower(
  server: { readonly desired: 'installed' | 'deleted'; readonly suspended: boolean },
  state: ServerState,
  cause: { readonly requestId: string | null; readonly open: readonly OpenPower[] },
): 'running' | 'stopped' | undefined {
  if (server.desired === 'deleted' || server.suspended) return undefined
  const asked = cause.open.filter(({ kind }) => kind === 'power').map(({ action }) => action)
  if (state === 'starting') return asked.includes('stop') || asked.includes('kill') ? undefined : 'running'
  if (state !== 'stopping' || cause.requestId === AGENT_SHUTDOWN_REQUEST) return undefined
  return asked.some((action) => action !== 'start') ? undefined : 'stopped'
}
