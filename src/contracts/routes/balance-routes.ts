import { Balance, TopupAnswer, TopupRequest, TransactionFilter, TransactionPage } from '../http/balance.ts'
import { Paging } from '../http/paging.ts'
import { TopupCheck, TopupCheckRequest } from '../http/payment.ts'
import { TransactionDetail, TransactionPath } from '../http/transaction-detail.ts'

/** Rows of the API table: the balance, and top-ups. */
export const BALANCE_ROUTES = {
  'GET /api/balance': {
    summary: 'Get the balance and the payment methods for top-ups',
    auth: 'user',
    limit: 'read',
    session: 'by the read',
    output: Balance,
  },
  'GET /api/balance/transactions': {
    summary: 'List balance transactions',
    auth: 'user',
    limit: 'read',
    query: Paging.extend(TransactionFilter.shape),
    call: 'transactions',
    output: TransactionPage,
  },
  'GET /api/balance/transactions/{id}': {
    summary: 'Get the details of a balance transaction: cause, period, formula and documents',
    auth: 'user',
    limit: 'read',
    path: TransactionPath,
    call: 'transaction',
    idAs: 'transactionId',
    output: TransactionDetail,
  },
  'POST /api/balance/topup': {
    summary: 'Start a top-up payment',
    auth: 'user',
    limit: 'topup',
    input: TopupRequest,
    output: TopupAnswer,
    status: 201,
    idempotency: 'optional',
  },
  'POST /api/balance/topup/check': {
    summary: 'Check the status of a top-up with its provider',
    auth: 'user',
    limit: 'read',
    input: TopupCheckRequest,
    call: 'topup-check',
    output: TopupCheck,
  },
  'POST /api/balance/topup/cancel': {
    summary: 'Cancel a pending top-up',
    auth: 'user',
    limit: 'read',
    input: TopupCheckRequest,
    call: 'cancel-topup',
    output: TopupCheck,
  },
} as const
