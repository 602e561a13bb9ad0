import * as z from 'zod'
import { arrangingCalls } from './arranging-calls.ts'
import { votingCalls } from './voting-calls.ts'
import { Balance, InvoicePage, TopupAnswer, TopupRequest, TransactionFilter, TransactionPage } from '../http/balance.ts'
import {
  Collaborator,
  CollaboratorChange,
  CollaboratorInvite,
  CollaboratorList,
  InvitationList,
  SeenPerson,
  SharingRoom,
} from '../http/panel/collaborators.ts'
import { ErrorCode } from '../http/errors.ts'
import { NotificationSettings, NotificationSettingsChange, PushSubscribe } from '../http/notification-settings.ts'
import {
  ModificationAnswer,
  ModificationQuote,
  ModificationQuoteRequest,
  ModificationRequest,
  ServerSize,
} from '../http/modification.ts'
import { KeptPackage, PackageChangeAnswer, PackageChangeRequest, ServerPackages } from '../http/package-change.ts'
import { Activity, Notification, NotificationsRead } from '../http/notification.ts'
import { FoundActivities, ServerActivityFilter } from '../http/panel/server-activity.ts'
import { OrderAnswer, OrderRequest, Quote, QuoteRequest } from '../http/order.ts'
import { TopupCheck, TopupCheckRequest } from '../http/payment.ts'
import { AutoRenewal, RenewalQuote, RenewAnswer, RenewRequest } from '../http/renewal.ts'
import {
  ArchiveAccess,
  ConsoleAccess,
  NodeAccess,
  NodeTokenRequest,
  PowerAction,
  PowerAnswer,
  Server,
} from '../http/server.ts'
import { Service } from '../http/service.ts'
import { DepartureFigures, ExportPage } from '../http/privacy.ts'
import { PremiumAnswer, PremiumRequest, PremiumView } from '../http/premium.ts'
import {
  SpinAnswer,
  SpinCouponRequest,
  SpinPage,
  SpinProof,
  SpinPurchase,
  SpinRequest,
  WheelView,
} from '../http/spin.ts'
import { PortCheck, PortNote, ServerPorts } from '../http/panel/ports.ts'
import { ReinstallAnswer, ReinstallRequest } from '../http/panel/reinstall.ts'
import { IdentityChange, OperationChange, ServerSettings } from '../http/panel/server-settings.ts'
import { LogShareCreated, LogShareList, LogShareRequest, SharedLog } from '../http/panel/log-share.ts'
import { PanelVisit } from '../http/panel/since-you-left.ts'
import { TaxProfile } from '../http/tax.ts'
import { TransactionDetail } from '../http/transaction-detail.ts'
import { PREMIUM_TIERS } from '../http/user.ts'
import { Locale } from '../locale.ts'
import { MailOrder } from '../mail/mail.ts'
import { AmountFt, Id, Instant, Nothing, SeenFt } from '../primitives.ts'
import { ConversionAnswer, ConversionQuote, ConversionQuoteRequest, ConversionRequest } from '../http/conversion.ts'
import {
  WithdrawalConfirmation,
  WithdrawalOffer,
  WithdrawalOffers,
  WithdrawalReceipt,
  WithdrawalSubject,
} from '../http/withdrawal.ts'
import { BillingClock, GrantedTestServer, GrantTestServer } from '../http/lifetime.ts'
import { RefundedServer, RefundServer, ServerRefundQuote } from '../http/server-refunds.ts'
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
import { Paging } from './paging.ts'
import { startupCallsOf } from './startup-calls.ts'
import { ticketCallsOf } from './ticket-calls.ts'

/**
 * Headers of every internal call. The secret is compared in constant time; the request id follows an order through all
 * programs.
 */
export const INTERNAL_HEADERS = {
  secret: 'x-internal-secret',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
} as const

/** The caller: the site has authenticated the user; staff flags come from active roles. */
export const Caller = z.object({
  userId: Id,
  sessionId: Id.nullable(),
  locale: Locale,
  address: z.string(),
  isAdmin: z.boolean(),
  isSupport: z.boolean(),
  /**
   * Whether the e-mail address is verified: required for top-ups and orders. A site of the previous release does not
   * send it.
   */
  isVerified: z.boolean().default(false),
  /** A browser with its cookies, or a program with a token. A site of the previous release does not send it. */
  way: z.enum(['panel', 'api']).optional(),
  /** The collaborator as whom the caller looks at a server: only `SEEN_CALLS` are answered then. */
  seesAs: Id.optional(),
})
export type Caller = z.infer<typeof Caller>

/** A call of somebody about one server. */
const OfServer = { caller: Caller, serverId: Id }

/** The part of `/api/user/me` that the control plane owns. */
export const Account = z.object({
  balance: AmountFt,
  premium: z.enum(PREMIUM_TIERS),
  premiumExpiry: Instant.nullable(),
  spinCount: z.int(),
})
export type Account = z.infer<typeof Account>

/**
 * Every call from the site to the control plane: `POST /internal/{name}` with `input` as JSON, answered by `output` or
 * by `InternalError`. Client and server are typed from this table, so a call without a row can be neither sent nor
 * served.
 */
export const INTERNAL_CALLS = {
  /**
   * Only a site of the previous release calls `account`, `servers` and `notifications`; the current one reads schema
   * `control_api`.
   */
  account: { input: z.object({ caller: Caller }), output: Account },
  balance: { input: z.object({ caller: Caller }), output: Balance },
  transactions: {
    input: z.object({ caller: Caller, ...TransactionFilter.shape, ...Paging }),
    output: TransactionPage,
  },
  transaction: { input: z.object({ caller: Caller, transactionId: Id }), output: TransactionDetail },
  invoices: { input: z.object({ caller: Caller, ...Paging }), output: InvoicePage },
  /** One document of the caller as PDF, in base64. */
  'invoice-file': {
    input: z.object({ caller: Caller, invoiceId: Id }),
    output: z.object({ fileName: z.string(), pdf: z.base64() }),
  },
  'tax-profile': { input: z.object({ caller: Caller }), output: TaxProfile },
  /** All documents of the caller as a table. */
  'invoices-csv': { input: z.object({ caller: Caller }), output: z.object({ csv: z.string() }) },
  topup: { input: z.object({ caller: Caller, request: TopupRequest, returnUrl: z.url() }), output: TopupAnswer },
  'topup-check': { input: z.object({ caller: Caller, ...TopupCheckRequest.shape }), output: TopupCheck },
  'cancel-topup': { input: z.object({ caller: Caller, ...TopupCheckRequest.shape }), output: TopupCheck },
  /** Payments and unmatched payments, and staff's actions on them. For administrators. */
  'staff-payments': {
    input: z.object({ caller: Caller, ...StaffPaymentFilter.shape, ...Paging }),
    output: StaffPaymentPage,
  },
  'unmatched-payments': {
    input: z.object({ caller: Caller, all: z.boolean().default(false), ...Paging }),
    output: UnmatchedPaymentPage,
  },
  'assign-unmatched': { input: z.object({ caller: Caller, ...AssignUnmatched.shape }), output: AssignedUnmatched },
  'refund-payment': { input: z.object({ caller: Caller, ...RefundPayment.shape }), output: RefundedPayment },
  /** The refundable amounts of a server, and its refund to the owner's balance. For administrators. */
  'refund-server-quote': { input: z.object(OfServer), output: ServerRefundQuote },
  'refund-server': { input: z.object({ caller: Caller, ...RefundServer.shape }), output: RefundedServer },
  /** All documents, one of them as PDF in base64, and a customer's servers. For administrators. */
  'staff-invoices': {
    input: z.object({ caller: Caller, ...StaffInvoiceFilter.shape, ...Paging }),
    output: StaffInvoicePage,
  },
  'staff-invoice-file': {
    input: z.object({ caller: Caller, invoiceId: Id }),
    output: z.object({ fileName: z.string(), pdf: z.base64() }),
  },
  'staff-servers': {
    input: z.object({ caller: Caller, ...StaffServerFilter.shape, ...Paging }),
    output: StaffServerPage,
  },
  'close-dispute': { input: z.object({ caller: Caller, ...CloseDispute.shape }), output: ClosedDispute },
  'write-off-debt': { input: z.object({ caller: Caller, ...WriteOffDebt.shape }), output: WrittenOff },
  /** Manual movements, proposals for an approver, and the books. For administrators. */
  'manual-credit': { input: z.object({ caller: Caller, ...ManualCredit.shape }), output: ManualCreditAnswer },
  'staff-proposals': {
    input: z.object({ caller: Caller, all: z.boolean().default(false), ...Paging }),
    output: MoneyProposalPage,
  },
  'decide-proposal': {
    input: z.object({ caller: Caller, proposalId: Id, ...ProposalDecision.shape }),
    output: DecidedProposal,
  },
  'staff-transactions': {
    input: z.object({ caller: Caller, ...StaffTransactionFilter.shape, ...Paging }),
    output: StaffTransactionPage,
  },
  'staff-ledger': {
    input: z.object({ caller: Caller, ...LedgerFilter.shape, limit: Paging.limit }),
    output: LedgerEntryPage,
  },
  'staff-ledger-accounts': {
    input: z.object({ caller: Caller, ...LedgerAccountFilter.shape, ...Paging }),
    output: LedgerAccountPage,
  },
  'staff-ledger-days': {
    input: z.object({ caller: Caller, from: z.iso.date(), to: z.iso.date() }),
    output: LedgerDays,
  },
  'staff-ledger-audit': { input: z.object({ caller: Caller }), output: LedgerAudit },
  'staff-debts': { input: z.object({ caller: Caller }), output: DebtList },
  services: { input: z.object({ locale: Locale }), output: z.array(Service) },
  quote: { input: z.object({ caller: Caller, request: QuoteRequest }), output: Quote },
  order: { input: z.object({ caller: Caller, request: OrderRequest }), output: OrderAnswer },
  premium: { input: z.object({ caller: Caller }), output: PremiumView },
  'buy-premium': { input: z.object({ caller: Caller, request: PremiumRequest }), output: PremiumAnswer },
  /** The caller's wheel, with the commitment to the next draw. */
  wheel: { input: z.object({ caller: Caller }), output: WheelView },
  spin: { input: z.object({ caller: Caller, request: SpinRequest }), output: SpinAnswer },
  'buy-spins': { input: z.object({ caller: Caller, request: SpinPurchase }), output: WheelView },
  'spin-coupon': { input: z.object({ caller: Caller, request: SpinCouponRequest }), output: WheelView },
  spins: { input: z.object({ caller: Caller, ...Paging }), output: SpinPage },
  'spin-proof': { input: z.object({ caller: Caller, spinId: Id }), output: SpinProof },
  servers: { input: z.object({ caller: Caller, ...Paging }), output: z.array(Server) },
  server: { input: z.object(OfServer), output: Server },
  'renewal-quote': { input: z.object({ ...OfServer, months: z.int().min(1).max(6) }), output: RenewalQuote },
  renew: { input: z.object({ ...OfServer, request: RenewRequest }), output: RenewAnswer },
  'auto-renewal': { input: z.object({ ...OfServer, change: AutoRenewal }), output: AutoRenewal },
  'server-size': { input: z.object(OfServer), output: ServerSize },
  'modification-quote': {
    input: z.object({ ...OfServer, request: ModificationQuoteRequest }),
    output: ModificationQuote,
  },
  'modify-server': { input: z.object({ ...OfServer, request: ModificationRequest }), output: ModificationAnswer },
  'server-packages': { input: z.object(OfServer), output: ServerPackages },
  'change-package': { input: z.object({ ...OfServer, request: PackageChangeRequest }), output: PackageChangeAnswer },
  'keep-package': { input: z.object(OfServer), output: KeptPackage },
  /** Converts a test server to a paid one. */
  'conversion-quote': { input: z.object({ ...OfServer, request: ConversionQuoteRequest }), output: ConversionQuote },
  'convert-server': { input: z.object({ ...OfServer, request: ConversionRequest }), output: ConversionAnswer },
  /** The caller's contracts that can be withdrawn from, and the two steps. */
  withdrawals: { input: z.object({ caller: Caller }), output: WithdrawalOffers },
  'begin-withdrawal': { input: z.object({ caller: Caller, request: WithdrawalSubject }), output: WithdrawalOffer },
  'confirm-withdrawal': {
    input: z.object({ caller: Caller, request: WithdrawalConfirmation }),
    output: WithdrawalReceipt,
  },
  power: {
    input: z.object({ ...OfServer, action: PowerAction, requestId: Id.optional() }),
    output: PowerAnswer,
  },
  /** A server's name and how it is run. */
  'server-settings': { input: z.object(OfServer), output: ServerSettings },
  'change-identity': { input: z.object({ ...OfServer, change: IdentityChange }), output: ServerSettings },
  'change-operation': { input: z.object({ ...OfServer, change: OperationChange }), output: ServerSettings },
  'reinstall-server': { input: z.object({ ...OfServer, request: ReinstallRequest }), output: ReinstallAnswer },
  ...arrangingCalls(Caller),
  ...votingCalls(Caller),
  /** The caller has its panel open: what happened while they were away. */
  'visit-panel': { input: z.object(OfServer), output: PanelVisit },
  ...startupCallsOf(Caller),
  'console-access': { input: z.object(OfServer), output: ConsoleAccess },
  'node-token': { input: z.object({ ...OfServer, request: NodeTokenRequest }), output: NodeAccess },
  'server-ports': { input: z.object(OfServer), output: ServerPorts },
  'add-port': { input: z.object({ ...OfServer, ...PortNote.shape }), output: ServerPorts },
  'note-port': { input: z.object({ ...OfServer, portId: Id, ...PortNote.shape }), output: ServerPorts },
  'remove-port': { input: z.object({ ...OfServer, portId: Id }), output: ServerPorts },
  'make-port-primary': { input: z.object({ ...OfServer, portId: Id }), output: ServerPorts },
  /** Connects to the port at its node's own address. */
  'check-port': { input: z.object({ ...OfServer, portId: Id }), output: PortCheck },
  'archive-access': { input: z.object(OfServer), output: ArchiveAccess },
  /** The people with whom a server is shared. */
  collaborators: { input: z.object(OfServer), output: CollaboratorList },
  'sharing-room': { input: z.object(OfServer), output: SharingRoom },
  'invite-collaborator': { input: z.object({ ...OfServer, request: CollaboratorInvite }), output: Collaborator },
  'change-collaborator': {
    input: z.object({ ...OfServer, userId: Id, request: CollaboratorChange }),
    output: Collaborator,
  },
  'remove-collaborator': { input: z.object({ ...OfServer, userId: Id }), output: Nothing },
  'see-as': { input: z.object({ ...OfServer, userId: Id }), output: SeenPerson },
  'log-shares': { input: z.object(OfServer), output: LogShareList },
  'create-log-share': { input: z.object({ ...OfServer, request: LogShareRequest }), output: LogShareCreated },
  'end-log-share': { input: z.object({ ...OfServer, shareId: Id }), output: Nothing },
  /** Everybody who knows the token reads it. */
  'shared-log': { input: z.object({ token: z.string().max(64) }), output: z.object({ log: SharedLog.nullable() }) },
  ...ticketCallsOf(Caller),
  /** The caller's own invitations. */
  invitations: { input: z.object({ caller: Caller }), output: InvitationList },
  'accept-invitation': { input: z.object(OfServer), output: Nothing },
  'decline-invitation': { input: z.object(OfServer), output: Nothing },
  notifications: { input: z.object({ caller: Caller, ...Paging }), output: z.array(Notification) },
  'read-notifications': { input: z.object({ caller: Caller, ...NotificationsRead.shape }), output: Nothing },
  'notification-settings': { input: z.object({ caller: Caller }), output: NotificationSettings },
  'change-notification-settings': {
    input: z.object({ caller: Caller, ...NotificationSettingsChange.shape }),
    output: NotificationSettings,
  },
  /** The browser of the caller's session is in use, if it has push notifications on. */
  'browser-seen': { input: z.object({ caller: Caller }), output: Nothing },
  /** Subscribes or unsubscribes the browser of the caller's session. */
  'subscribe-push': { input: z.object({ caller: Caller, subscription: PushSubscribe }), output: NotificationSettings },
  'unsubscribe-push': { input: z.object({ caller: Caller }), output: NotificationSettings },
  activities: { input: z.object({ caller: Caller, ...Paging }), output: z.array(Activity) },
  'server-activities': {
    input: z.object({ ...OfServer, ...ServerActivityFilter.shape, ...Paging }),
    output: FoundActivities,
  },
  /** The account's contents that a deletion would affect. */
  departure: { input: z.object({ caller: Caller }), output: DepartureFigures },
  /** A page of the caller's rows in a table; `email` is null if none is known to be theirs. */
  'export-person': {
    input: z.object({
      caller: Caller,
      table: z.string().max(80),
      email: z.string().max(254).nullable(),
      offset: z.int().min(0),
    }),
    output: ExportPage,
  },
  /** Erases a person in the control plane. Repeated until acknowledged. */
  'erase-person': {
    input: z.object({ userId: Id, email: z.string().max(254).nullable(), waivedFt: SeenFt }),
    output: Nothing,
  },
  /** Sessions ended: their sockets receive `logout`; `sessionId` null means all of the user's. */
  'session-ended': { input: z.object({ userId: Id, sessionId: Id.nullable() }), output: Nothing },
  /** A mail of the site. Repeated with the same id until acknowledged. */
  'send-mail': { input: z.object({ order: MailOrder }), output: Nothing },
  /** A hint that staff changed something in the CMS; the reconcile loop would notice it anyway. */
  nudge: {
    input: z.object({
      topic: z.enum(['computers', 'templates', 'services', 'settings', 'users', 'votings']),
      id: z.string().nullable(),
    }),
    output: Nothing,
  },
  /** Origins of the nodes' sockets, for the panel's connect-src. */
  'node-origins': { input: Nothing, output: z.object({ origins: z.array(z.string()), gateway: z.string() }) },
  /** Moves a server from a lost node to another computer, where it is reinstalled. For administrators. */
  'force-move': {
    input: z.object({ ...OfServer, computerId: Id, reason: z.string().trim().min(10).max(500) }),
    output: z.object({ nodeId: Id, generation: z.int() }),
  },
  /** Grants a customer a server for a day, once. For staff. */
  'grant-test-server': { input: z.object({ caller: Caller, wanted: GrantTestServer }), output: GrantedTestServer },
  /** Whether a clock jump stopped automatic billing, and an administrator's confirmation of the time. */
  'billing-clock': { input: z.object({ caller: Caller }), output: BillingClock },
  'confirm-billing-clock': { input: z.object({ caller: Caller }), output: BillingClock },
  /** Creates the single-use token with which an agent enrols as this computer. */
  'enrolment-token': {
    input: z.object({ caller: Caller, computerId: Id }),
    output: z.object({ token: z.string(), expiresAt: Instant }),
  },
} as const

export type InternalCallName = keyof typeof INTERNAL_CALLS
export type InternalInput<Name extends InternalCallName> = z.infer<(typeof INTERNAL_CALLS)[Name]['input']>
export type InternalOutput<Name extends InternalCallName> = z.infer<(typeof INTERNAL_CALLS)[Name]['output']>

/** Only codes and values: the site writes the message in the caller's language. */
export const InternalError = z.object({
  error: z.object({
    code: ErrorCode,
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    fields: z.record(z.string(), z.string()).optional(),
  }),
})
export type InternalError = z.infer<typeof InternalError>
