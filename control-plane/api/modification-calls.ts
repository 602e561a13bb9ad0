import { modifyServer } from '../money/modification/modify-server.ts'
import type { ModifyRefusal } from '../money/modification/decide-modification.ts'
import { readSize } from '../money/modification/read-size.ts'
import { quoteModification } from '../money/modification/quote-modification.ts'
import type { KeyRefusal } from '../platform/once-per-key.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal, orderRefused } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'
import { findServer } from '../servers/store/read-servers.ts'

/** Translates the refusal of a resize to the API. */
export function modificationRefused(refusal: ModifyRefusal | KeyRefusal): ApiRefusal {
  switch (refusal.code) {
    case 'IN_PACKAGE':
    case 'NOTHING_CHANGED':
    case 'TEST_SERVER':
    case 'SERVER_EXPIRED':
    case 'FORBIDDEN':
      return new ApiRefusal(refusal.code)
    case 'SERVER_DELETED':
      return new ApiRefusal('NOT_FOUND')
    case 'NOT_INSTALLED':
      return new ApiRefusal('INVALID_STATE')
    case 'INSUFFICIENT_BALANCE': {
      const missing = 'missing' in refusal ? refusal.missing : undefined
      return new ApiRefusal(refusal.code, {
        params: { purchase: 'resize', ...(missing ? { price: missing.minor.toString() } : {}) },
      })
    }
    default:
      return orderRefused({ ...refusal, code: refusal.code })
  }
}

/** Calls of an owner about the size of a server. */
export const modificationCalls = ({
  context,
}: ApiDeps): Pick<InternalCalls, 'server-size' | 'modification-quote' | 'modify-server'> => ({
  'server-size': async ({ caller, serverId }) => {
    const size = await readSize(context.db, { caller, serverId })
    if (!size.ok) throw new ApiRefusal(size.code)
    return size.size
  },
  'modification-quote': async ({ caller, serverId, request }) => {
    const result = await quoteModification(context, { caller, serverId, resources: request.resources })
    if (!result.ok) throw modificationRefused(result)
    return result.quote
  },
  'modify-server': async (input, meta) => {
    const result = await modifyServer(context, { ...input, requestId: meta.requestId, idempotencyKey: keyOf(meta) })
    if (!result.ok) throw modificationRefused(result)
    const server = await findServer(context, { caller: input.caller, serverId: input.serverId })
    if (!server) throw new ApiRefusal('NOT_FOUND')
    const { modificationId: id, ...modification } = result.answer
    return { modification: { id, ...modification }, server }
  },
})
