import * as z from 'zod'
import { QUERY_TYPES } from '#contracts/agent/player-query.ts'
import type { ServerSpec } from '#contracts/agent/server-spec.ts'

export const QueryQuestion = z.object({
  type: z.enum(QUERY_TYPES),
  ip: z.union([z.ipv4(), z.ipv6()]),
  port: z.int().min(1).max(65_535),
})
export type QueryQuestion = z.infer<typeof QueryQuestion>

const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/**
 * The question for a server's game: at one of its own allocations, and at an address of this machine. Undefined without
 * a query, with one that this release does not know, or if the address lies elsewhere.
 */
export const questionOf = (
  spec: Pick<ServerSpec, 'query' | 'allocations'>,
  isOwnAddress: (ip: string) => boolean,
): QueryQuestion | undefined => {
  const { query, allocations } = spec
  if (!query) return undefined
  const allocation = query.port === null ? allocations.find(({ primary }) => primary) : allocations[query.port]
  if (allocation === undefined) return undefined
  const ip = LOOPBACK[allocation.ip] ?? allocation.ip
  const question = QueryQuestion.safeParse({ type: query.type, ip, port: allocation.port })
  return question.success && isOwnAddress(ip) ? question.data : undefined
}
