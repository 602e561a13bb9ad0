import * as z from 'zod'
import { Id } from '../../primitives.ts'
import { ConversionAnswer, ConversionQuote, ConversionQuoteRequest, ConversionRequest } from '../conversion.ts'
import {
  WithdrawalConfirmation,
  WithdrawalOffer,
  WithdrawalOffers,
  WithdrawalReceipt,
  WithdrawalSubject,
} from '../withdrawal.ts'

const ServerPath = z.object({ id: Id })

/** Rows of the API table: contracts that are withdrawn from, and test servers that become paid ones. */
export const CONTRACT_ROUTES = {
  'GET /api/withdrawal': {
    summary: 'Contracts that can be withdrawn from now, and what that would do',
    auth: 'user',
    limit: 'quote',
    call: 'withdrawals',
    output: WithdrawalOffers,
  },
  'POST /api/withdrawal': {
    summary: 'Withdraw from a contract: the first of two steps',
    auth: 'user',
    limit: 'settings',
    input: WithdrawalSubject,
    call: 'begin-withdrawal',
    inputAs: 'request',
    output: WithdrawalOffer,
  },
  'POST /api/withdrawal/confirm': {
    summary: 'Confirm the withdrawal from a contract: the second of two steps',
    auth: 'user',
    limit: 'order',
    input: WithdrawalConfirmation,
    call: 'confirm-withdrawal',
    inputAs: 'request',
    output: WithdrawalReceipt,
    status: 201,
    idempotency: 'required',
  },
  'POST /api/server/{id}/conversion/quote': {
    summary: 'What a test server would cost as a paid one',
    auth: 'user',
    limit: 'quote',
    path: ServerPath,
    input: ConversionQuoteRequest,
    call: 'conversion-quote',
    idAs: 'serverId',
    inputAs: 'request',
    output: ConversionQuote,
  },
  'POST /api/server/{id}/conversion': {
    summary: 'Turn a test server into a paid one',
    auth: 'user',
    limit: 'order',
    path: ServerPath,
    input: ConversionRequest,
    output: ConversionAnswer,
    status: 201,
    idempotency: 'required',
  },
} as const
