import * as z from 'zod'
import { Id } from '../primitives.ts'
import { ConversionAnswer, ConversionQuote, ConversionQuoteRequest, ConversionRequest } from '../http/conversion.ts'
import {
  WithdrawalConfirmation,
  WithdrawalOffer,
  WithdrawalOffers,
  WithdrawalReceipt,
  WithdrawalSubject,
} from '../http/withdrawal.ts'

const ServerPath = z.object({ id: Id })

/** Rows of the API table: withdrawals from contracts, and conversions of test servers. */
export const CONTRACT_ROUTES = {
  'GET /api/withdrawal': {
    summary: 'List contracts that can be withdrawn from, with the refund of each',
    auth: 'user',
    limit: 'quote',
    call: 'withdrawals',
    output: WithdrawalOffers,
  },
  'POST /api/withdrawal': {
    summary: 'Withdraw from a contract (first of two steps)',
    auth: 'user',
    limit: 'settings',
    input: WithdrawalSubject,
    call: 'begin-withdrawal',
    inputAs: 'request',
    output: WithdrawalOffer,
  },
  'POST /api/withdrawal/confirm': {
    summary: 'Confirm a withdrawal from a contract (second of two steps)',
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
    summary: 'Get a quote for converting a test server into a paid server',
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
    summary: 'Convert a test server into a paid server',
    auth: 'user',
    limit: 'order',
    path: ServerPath,
    input: ConversionRequest,
    output: ConversionAnswer,
    status: 201,
    idempotency: 'required',
  },
} as const
