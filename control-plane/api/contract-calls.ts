import { assertNever } from '#domain/kernel/assert.ts'
import type { KeyRefusal } from '../platform/once-per-key.ts'
import { convertServer, quoteConversion } from '../money/conversion/convert-server.ts'
import type { ConvertRefusal } from '../money/conversion/decide-conversion.ts'
import { beginWithdrawal } from '../money/withdrawal/begin-withdrawal.ts'
import { confirmWithdrawal } from '../money/withdrawal/confirm-withdrawal.ts'
import { listWithdrawals } from '../money/withdrawal/list-withdrawals.ts'
import type { WithdrawRefusal } from '../money/withdrawal/withdrawal-context.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal, orderRefused } from './api-refusal.ts'
import { keyOf } from './idempotency-key.ts'
import { findServer } from '../servers/store/read-servers.ts'

type ContractCall = 'withdrawals' | 'begin-withdrawal' | 'confirm-withdrawal' | 'conversion-quote' | 'convert-server'

/** Translates the refusal of a withdrawal to the API. */
function withdrawalRefused(refusal: WithdrawRefusal | KeyRefusal): ApiRefusal {
  switch (refusal.code) {
    case 'PRICE_CHANGED':
      return new ApiRefusal(refusal.code, { params: { price: refusal.backFt.toString() } })
    case 'NOT_INSTALLED':
    case 'NOT_BEGUN':
    case 'NOTHING_LEFT':
      return new ApiRefusal('INVALID_STATE')
    case 'ALREADY_WITHDRAWN':
    case 'NOT_A_CONSUMER':
    case 'WITHDRAWAL_TOO_LATE':
    case 'LATER_RENEWAL_FIRST':
    case 'NOT_FOUND':
    case 'IN_PROGRESS':
    case 'IDEMPOTENCY_MISMATCH':
      return new ApiRefusal(refusal.code)
    default:
      return assertNever(refusal)
  }
}

/** Translates the refusal of a conversion to the API. */
function conversionRefused(refusal: ConvertRefusal | KeyRefusal): ApiRefusal {
  switch (refusal.code) {
    case 'NOT_A_TEST_SERVER':
    case 'FORBIDDEN':
      return new ApiRefusal(refusal.code)
    case 'SERVER_DELETED':
      return new ApiRefusal('NOT_FOUND')
    case 'NOT_INSTALLED':
      return new ApiRefusal('INVALID_STATE')
    default:
      return orderRefused(refusal)
  }
}

/** Calls of customers about contracts: withdrawal, and the conversion of a test server. */
export const contractCalls = ({ context, mailSecret }: ApiDeps): Pick<InternalCalls, ContractCall> => ({
  withdrawals: async ({ caller }) => ({ items: await listWithdrawals(context, caller) }),
  'begin-withdrawal': async ({ caller, request: subject }, { requestId }) => {
    const result = await beginWithdrawal(context, { caller, subject, requestId })
    if (!result.ok) throw withdrawalRefused(result)
    return result.offer
  },
  'confirm-withdrawal': async ({ caller, request: { expectedBackFt, ...subject } }, meta) => {
    const result = await confirmWithdrawal(
      { ...context, mailSecret },
      { caller, subject, expectedBackFt, requestId: meta.requestId, idempotencyKey: keyOf(meta) },
    )
    if (!result.ok) throw withdrawalRefused(result)
    return result.answer
  },
  'conversion-quote': async (input) => {
    const result = await quoteConversion(context, input)
    if (!result.ok) throw conversionRefused(result)
    return result.quote
  },
  'convert-server': async (input, meta) => {
    const result = await convertServer(context, { ...input, requestId: meta.requestId, idempotencyKey: keyOf(meta) })
    if (!result.ok) throw conversionRefused(result)
    const server = await findServer(context, { caller: input.caller, serverId: input.serverId })
    // A repeated key may name a server that has been deleted meanwhile.
    if (!server) throw new ApiRefusal('NOT_FOUND')
    return { ...result.answer, server }
  },
})
