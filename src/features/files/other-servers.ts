import type { Server } from '#contracts/http/server.ts'
import { lifetimePhase } from '#domain/billing/lifetime.ts'

/** The servers on the same machine that may receive files from this one: by permission, and neither expired nor suspended. */
export const otherServers = (
  all: readonly Server[],
  here: Pick<Server, 'id' | 'computer'>,
  nowMs: number,
): readonly Server[] =>
  all.filter(
    ({ id, computer, permissions, suspended, expiry }) =>
      id !== here.id &&
      computer.url !== '' &&
      computer.url === here.computer.url &&
      permissions.includes('file.list') &&
      permissions.includes('file.create') &&
      !suspended &&
      lifetimePhase(Date.parse(expiry), nowMs) === 'active',
  )
