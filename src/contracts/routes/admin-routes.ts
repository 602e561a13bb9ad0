import * as z from 'zod'
import { BillingClock, GrantedTestServer, GrantTestServer } from '../http/lifetime.ts'
import { StaffInvoiceFilter, StaffInvoicePage, StaffServerFilter, StaffServerPage } from '../http/staff-documents.ts'
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
} from '../http/staff-money.ts'
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
} from '../http/staff-payments.ts'
import { RefundedServer, RefundServer, ServerRefundQuote } from '../http/server-refunds.ts'
import { Id } from '../primitives.ts'
import { Paging } from '../http/paging.ts'

const Named = z.object({ id: Id })
const reading = { auth: 'administrator', limit: 'staffRead' } as const
const acting = { auth: 'administrator', limit: 'staffAct' } as const
const once = { ...acting, idempotency: 'required' } as const

/** Lists that omit closed items unless everything is requested. */
const OpenOrAll = z.object({ ...Paging.shape, all: z.stringbool().optional() })
const Days = z.object({ from: z.iso.date(), to: z.iso.date() })

/** Rows of the API table: administrators' reads and actions on money. */
export const ADMIN_ROUTES = {
  'GET /api/admin/transactions': {
    summary: 'List the balance transactions of all customers',
    ...reading,
    query: z.object({ ...StaffTransactionFilter.shape, ...Paging.shape }),
    call: 'staff-transactions',
    output: StaffTransactionPage,
  },
  'GET /api/admin/payments': {
    summary: 'List the payments of all customers',
    ...reading,
    query: z.object({ ...StaffPaymentFilter.shape, ...Paging.shape }),
    call: 'staff-payments',
    output: StaffPaymentPage,
  },
  'POST /api/admin/payments/{id}/refund': {
    summary: 'Refund a payment to its payment method, or propose the refund',
    ...once,
    path: Named,
    input: RefundPayment.omit({ paymentId: true }).extend({ amountFt: TypedFt }),
    call: 'refund-payment',
    idAs: 'paymentId',
    output: RefundedPayment,
  },
  'POST /api/admin/payments/{id}/dispute': {
    summary: 'Record the outcome of a dispute that the provider does not report',
    ...once,
    path: Named,
    input: CloseDispute.omit({ paymentId: true }).extend({ amountFt: TypedFt.optional() }),
    call: 'close-dispute',
    idAs: 'paymentId',
    output: ClosedDispute,
  },
  'GET /api/admin/invoices': {
    summary: 'List the invoices and receipts of all customers, with their cancellations',
    ...reading,
    query: z.object({ ...StaffInvoiceFilter.shape, ...Paging.shape }),
    call: 'staff-invoices',
    output: StaffInvoicePage,
  },
  'GET /api/admin/invoices/{id}/pdf': {
    summary: 'Download an invoice or receipt of any customer as a PDF',
    ...reading,
    limit: 'invoiceFile',
    path: Named,
    output: z.instanceof(Uint8Array),
    gives: 'application/pdf',
  },
  'GET /api/admin/servers': {
    summary: "List a customer's servers, including deleted ones",
    ...reading,
    query: z.object({ ...StaffServerFilter.shape, ...Paging.shape }),
    call: 'staff-servers',
    output: StaffServerPage,
  },
  'GET /api/admin/servers/{id}/refund': {
    summary: 'Get the refundable amount of a server',
    ...reading,
    path: Named,
    call: 'refund-server-quote',
    idAs: 'serverId',
    output: ServerRefundQuote,
  },
  'POST /api/admin/servers/{id}/refund': {
    summary: "Refund a server to its owner's balance",
    ...once,
    path: Named,
    input: RefundServer.omit({ serverId: true }).extend({ amountFt: TypedFt.optional() }),
    call: 'refund-server',
    idAs: 'serverId',
    output: RefundedServer,
  },
  'GET /api/admin/unmatched': {
    summary: 'List unmatched payments',
    ...reading,
    query: OpenOrAll,
    call: 'unmatched-payments',
    output: UnmatchedPaymentPage,
  },
  'POST /api/admin/unmatched/{id}': {
    summary: 'Assign an unmatched payment to a customer, or close it',
    ...once,
    path: Named,
    input: AssignUnmatched.omit({ unmatchedId: true }).extend({ amountFt: TypedFt.optional() }),
    call: 'assign-unmatched',
    idAs: 'unmatchedId',
    output: AssignedUnmatched,
  },
  'GET /api/admin/ledger': {
    summary: 'List ledger postings',
    ...reading,
    query: z.object({ ...LedgerFilter.shape, limit: Paging.shape.limit }),
    call: 'staff-ledger',
    output: LedgerEntryPage,
  },
  'GET /api/admin/ledger/accounts': {
    summary: 'List ledger accounts',
    ...reading,
    query: z.object({ ...LedgerAccountFilter.shape, ...Paging.shape }),
    call: 'staff-ledger-accounts',
    output: LedgerAccountPage,
  },
  'GET /api/admin/ledger/days': {
    summary: 'Get daily ledger totals',
    ...reading,
    query: Days,
    call: 'staff-ledger-days',
    output: LedgerDays,
  },
  'GET /api/admin/ledger/audit': {
    summary: 'Audit the ledger',
    ...reading,
    call: 'staff-ledger-audit',
    output: LedgerAudit,
  },
  'GET /api/admin/debts': { summary: 'List customers in debt', ...reading, call: 'staff-debts', output: DebtList },
  'POST /api/admin/debts/{id}/write-off': {
    summary: "Write off a customer's debt",
    ...once,
    path: Named,
    input: WriteOffDebt.omit({ userId: true }),
    call: 'write-off-debt',
    idAs: 'userId',
    output: WrittenOff,
  },
  'POST /api/admin/credits': {
    summary: 'Credit or debit a balance manually, or propose it',
    ...once,
    input: ManualCredit,
    call: 'manual-credit',
    output: ManualCreditAnswer,
  },
  'GET /api/admin/proposals': {
    summary: 'List proposals that wait for approval',
    ...reading,
    query: OpenOrAll,
    call: 'staff-proposals',
    output: MoneyProposalPage,
  },
  'POST /api/admin/proposals/{id}': {
    summary: 'Approve or reject a proposal',
    ...once,
    path: Named,
    input: ProposalDecision,
    call: 'decide-proposal',
    idAs: 'proposalId',
    output: DecidedProposal,
  },
  'POST /api/admin/test-servers': {
    summary: 'Grant a customer a one-day test server, once per customer',
    ...acting,
    input: GrantTestServer,
    call: 'grant-test-server',
    inputAs: 'wanted',
    output: GrantedTestServer,
  },
  'GET /api/admin/billing-clock': {
    summary: 'Get the state of automatic billing',
    ...reading,
    call: 'billing-clock',
    output: BillingClock,
  },
  'POST /api/admin/billing-clock': {
    summary: 'Confirm the clock and resume automatic billing',
    ...acting,
    call: 'confirm-billing-clock',
    output: BillingClock,
  },
} as const
