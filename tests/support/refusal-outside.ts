import { routeOf } from '../../agents/http/agent-router.ts'

/** A sentence about a refusal that the row of the call does not name; undefined for one that it names. */
export const refusalOutside = ({ method, target, json }: { method: string; target: string; json: unknown }) => {
  const { code } = (json as { error?: { code?: string } } | undefined)?.error ?? {}
  const { call } = routeOf(target)?.routed(method) ?? {}
  const isNamed = code === undefined || call === undefined || (call.errors as readonly string[]).includes(code)
  return isNamed ? undefined : `${method} ${call.path} answers ${code}, which its row does not name.`
}
