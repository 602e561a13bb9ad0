import * as z from 'zod'
import { BillingClock, GrantedTestServer, GrantTestServer } from '../lifetime.ts'
import { StaffInvoiceFilter, StaffInvoicePage, StaffServerFilter, StaffServerPage } from '../staff-documents.ts'
import {
  DebtList,
  DecidedProposal,
  LedgerAccountFilter,
  LedgerAccountPage,
  LedgerAudit,
  LedgerDays,
  LedgerEntryPage,
  LedgerFilter,
  ManualCredit,
  ManualCreditAnswer,
  MoneyProposalPage,
  ProposalDecision,
  StaffTransactionFilter,
  StaffTransactionPage,
  TypedFt,
} from '../staff-money.ts'
import {
  AssignedUnmatched,
  AssignUnmatched,
  CloseDispute,
  ClosedDispute,
  RefundedPayment,
  RefundPayment,
  StaffPaymentFilter,
  StaffPaymentPage,
  UnmatchedPaymentPage,
  WriteOffDebt,
  WrittenOff,
} from '../staff-payments.ts'
import { RefundedServer, RefundServer, ServerRefundQuote } from '../server-refunds.ts'
import { Id } from '../../primitives.ts'
import { Paging } from '../paging.ts'

const Named = z.object({ id: Id })
const reading = { auth: 'administrator', limit: 'staffRead' } as const
const acting = { auth: 'administrator', limit: 'staffAct' } as const
const once = { ...acting, idempotency: 'required' } as const

/** Lists that leave out what is done with unless everything is asked for. */
const OpenOrAll = z.object({ ...Paging.shape, all: z.stringbool().optional() })
const Days = z.object({ from: z.iso.date(), to: z.iso.date() })

/** Rows of the API table: what administrators see and do with money. */
export const ADMIN_ROUTES = {
  'GET /api/admin/transactions': {
    summary: 'What moved the balances of everybody',
    ...reading,
    query: z.object({ ...StaffTransactionFilter.shape, ...Paging.shape }),
    call: 'staff-transactions',
    output: StaffTransactionPage,
  },
  'GET /api/admin/payments': {
    summary: 'Payments of everybody',
    ...reading,
    query: z.object({ ...StaffPaymentFilter.shape, ...Paging.shape }),
    call: 'staff-payments',
    output: StaffPaymentPage,
  },
  'POST /api/admin/payments/{id}/refund': {
    summary: 'Send money of a payment back to its source, or propose it',
    ...once,
    path: Named,
    input: RefundPayment.omit({ paymentId: true }).extend({ amountFt: TypedFt }),
    call: 'refund-payment',
    idAs: 'paymentId',
    output: RefundedPayment,
  },
  'POST /api/admin/payments/{id}/dispute': {
    summary: 'How a dispute of a payment ended, where its provider does not tell',
    ...once,
    path: Named,
    input: CloseDispute.omit({ paymentId: true }).extend({ amountFt: TypedFt.optional() }),
    call: 'close-dispute',
    idAs: 'paymentId',
    output: ClosedDispute,
  },
  'GET /api/admin/invoices': {
    summary: 'Invoices and receipts of everybody, with what took them back',
    ...reading,
    query: z.object({ ...StaffInvoiceFilter.shape, ...Paging.shape }),
    call: 'staff-invoices',
    output: StaffInvoicePage,
  },
  'GET /api/admin/invoices/{id}/pdf': {
    summary: 'One document of anybody as PDF',
    ...reading,
    limit: 'invoiceFile',
    path: Named,
    output: z.instanceof(Uint8Array),
    gives: 'application/pdf',
  },
  'GET /api/admin/servers': {
    summary: 'Servers of a customer, deleted ones too',
    ...reading,
    query: z.object({ ...StaffServerFilter.shape, ...Paging.shape }),
    call: 'staff-servers',
    output: StaffServerPage,
  },
  'GET /api/admin/servers/{id}/refund': {
    summary: 'What may be given back of a server',
    ...reading,
    path: Named,
    call: 'refund-server-quote',
    idAs: 'serverId',
    output: ServerRefundQuote,
  },
  'POST /api/admin/servers/{id}/refund': {
    summary: 'Give back what a server cost, to the balance',
    ...once,
    path: Named,
    input: RefundServer.omit({ serverId: true }).extend({ amountFt: TypedFt.optional() }),
    call: 'refund-server',
    idAs: 'serverId',
    output: RefundedServer,
  },
  'GET /api/admin/unmatched': {
    summary: 'Money that fits no payment',
    ...reading,
    query: OpenOrAll,
    call: 'unmatched-payments',
    output: UnmatchedPaymentPage,
  },
  'POST /api/admin/unmatched/{id}': {
    summary: 'Give money that fits no payment to somebody, or put it away',
    ...once,
    path: Named,
    input: AssignUnmatched.omit({ unmatchedId: true }).extend({ amountFt: TypedFt.optional() }),
    call: 'assign-unmatched',
    idAs: 'unmatchedId',
    output: AssignedUnmatched,
  },
  'GET /api/admin/ledger': {
    summary: 'Entries of the books',
    ...reading,
    query: z.object({ ...LedgerFilter.shape, limit: Paging.shape.limit }),
    call: 'staff-ledger',
    output: LedgerEntryPage,
  },
  'GET /api/admin/ledger/accounts': {
    summary: 'Accounts of the books',
    ...reading,
    query: z.object({ ...LedgerAccountFilter.shape, ...Paging.shape }),
    call: 'staff-ledger-accounts',
    output: LedgerAccountPage,
  },
  'GET /api/admin/ledger/days': {
    summary: 'Sums of the books by day',
    ...reading,
    query: Days,
    call: 'staff-ledger-days',
    output: LedgerDays,
  },
  'GET /api/admin/ledger/audit': {
    summary: 'Whether the books keep their rules',
    ...reading,
    call: 'staff-ledger-audit',
    output: LedgerAudit,
  },
  'GET /api/admin/debts': { summary: 'Who owes', ...reading, call: 'staff-debts', output: DebtList },
  'POST /api/admin/debts/{id}/write-off': {
    summary: 'Give up what somebody owes',
    ...once,
    path: Named,
    input: WriteOffDebt.omit({ userId: true }),
    call: 'write-off-debt',
    idAs: 'userId',
    output: WrittenOff,
  },
  'POST /api/admin/credits': {
    summary: 'Move a balance by hand, or propose it',
    ...once,
    input: ManualCredit,
    call: 'manual-credit',
    output: ManualCreditAnswer,
  },
  'GET /api/admin/proposals': {
    summary: 'What waits for a second person',
    ...reading,
    query: OpenOrAll,
    call: 'staff-proposals',
    output: MoneyProposalPage,
  },
  'POST /api/admin/proposals/{id}': {
    summary: 'The word of the second person',
    ...once,
    path: Named,
    input: ProposalDecision,
    call: 'decide-proposal',
    idAs: 'proposalId',
    output: DecidedProposal,
  },
  'POST /api/admin/test-servers': {
    summary: 'Give somebody a server for a day, once',
    ...acting,
    input: GrantTestServer,
    call: 'grant-test-server',
    inputAs: 'wanted',
    output: GrantedTestServer,
  },
  'GET /api/admin/billing-clock': {
    summary: 'Whether what bills by itself runs',
    ...reading,
    call: 'billing-clock',
    output: BillingClock,
  },
  'POST /api/admin/billing-clock': {
    summary: 'Say that the time is right',
    ...acting,
    call: 'confirm-billing-clock',
    output: BillingClock,
  },
} as const
