import { isAlive, type ServerState } from '../servers/server-lifecycle.ts'

/**
 * What becomes of an account that is to be deleted (clarifications part 3). `leaving`: access has ended and the person may
 * still take it back. `erasing`: their data is being removed, which nothing takes back.
 */
export const DELETION_STATES = ['active', 'leaving', 'erasing', 'erased'] as const
export type DeletionState = (typeof DELETION_STATES)[number]

export const DELETION_EVENTS = ['asked', 'undone', 'time-over', 'finished'] as const
export type DeletionEvent = (typeof DELETION_EVENTS)[number]

/** The table of moves; what is not in it cannot happen. */
export const DELETION_MOVES: Readonly<Record<DeletionState, Readonly<Partial<Record<DeletionEvent, DeletionState>>>>> =
  Object.freeze({
    active: Object.freeze({ asked: 'leaving' }),
    leaving: Object.freeze({ undone: 'active', 'time-over': 'erasing' }),
    erasing: Object.freeze({ finished: 'erased' }),
    erased: Object.freeze({}),
  })

/** The state after `event` in `from`, or undefined for a move that the table does not hold. */
export const nextDeletionState = (from: DeletionState, event: DeletionEvent): DeletionState | undefined =>
  DELETION_MOVES[from][event]

/** How long a deletion can be undone, in minutes. */
export const UNDO_MINUTES = 14 * 24 * 60

/** When the data of somebody who asks at `askedAtMs` is removed, in epoch milliseconds. */
export const eraseAtMs = (askedAtMs: number): number => askedAtMs + UNDO_MINUTES * 60_000

/** What is known of a server whose owner leaves. `state` is null before its node has told one; times are epoch milliseconds. */
export type LeftServer = {
  readonly state: ServerState | null
  readonly wantsToRun: boolean
  readonly suspended: boolean
  readonly expiresAtMs: number
}

/** Whether a server counts as running: it runs, or would be started again without anybody asking. */
export const countsAsRunning = (server: LeftServer, nowMs: number): boolean =>
  (server.state !== null && isAlive(server.state)) ||
  (server.wantsToRun && !server.suspended && server.expiresAtMs > nowMs)

/** A payment that nobody finished for longer than this holds no deletion up: money that still comes keeps the account from being erased. */
const OPEN_PAYMENT_MS = 86_400_000

/** Payments that were begun after this moment, in epoch milliseconds, may still be finished. */
export const openPaymentsSinceMs = (nowMs: number): number => nowMs - OPEN_PAYMENT_MS

/** What a person would leave behind. Amounts in whole forints. */
export type Departure = {
  readonly balanceFt: number
  /** What they owe after a bank took a payment back. */
  readonly debtFt: number
  /** Orders whose end is not known yet; top-ups and refunds to their source. */
  readonly openOrders: number
  readonly openPayments: number
  readonly runningServers: number
  readonly stoppedServers: number
  readonly isLastAdministrator: boolean
}

/** What a person gives up: the balance up to the figure that they saw, and the servers that still have time. */
export type Waiver = { readonly balanceFt: number; readonly servers: boolean }

export const DELETION_REFUSALS = [
  'LAST_ADMINISTRATOR',
  'DEBT_UNPAID',
  'ORDERS_OPEN',
  'SERVERS_RUNNING',
  'SERVERS_NOT_GIVEN_UP',
  'BALANCE_NOT_WAIVED',
] as const
export type DeletionRefusal = (typeof DELETION_REFUSALS)[number]

/** Why an account cannot be deleted now, or null. What a person can mend by a tick is asked last. */
export const refuseDeletion = (departure: Departure, waiver: Waiver): DeletionRefusal | null => {
  if (departure.isLastAdministrator) return 'LAST_ADMINISTRATOR'
  // It ends by a top-up or by the word of staff, never by going away.
  if (departure.debtFt > 0) return 'DEBT_UNPAID'
  if (departure.openOrders > 0 || departure.openPayments > 0) return 'ORDERS_OPEN'
  if (departure.runningServers > 0) return 'SERVERS_RUNNING'
  if (departure.stoppedServers > 0 && !waiver.servers) return 'SERVERS_NOT_GIVEN_UP'
  return departure.balanceFt > waiver.balanceFt ? 'BALANCE_NOT_WAIVED' : null
}

/** What stands in the way of removing what is held of a person. Amounts in whole forints; `heldFt` waits for the end of an order. */
export type Leftover = {
  readonly openOrders: number
  readonly heldFt: number
  /** A bank may take a payment back while somebody leaves. */
  readonly debtFt: number
  readonly balanceFt: number
  /** What the person gave up. */
  readonly waivedFt: number
  /** Whether a run before this one has made what was given up the house's. */
  readonly hasForfeited: boolean
}

export type ErasureRefusal = Extract<DeletionRefusal, 'DEBT_UNPAID' | 'ORDERS_OPEN' | 'BALANCE_NOT_WAIVED'>

/** Why nothing of a person is removed now, or null. Money that comes after the first run was not given up with the rest. */
export const refuseErasure = ({
  openOrders,
  heldFt,
  debtFt,
  balanceFt,
  waivedFt,
  hasForfeited,
}: Leftover): ErasureRefusal | null => {
  if (debtFt > 0) return 'DEBT_UNPAID'
  if (openOrders > 0 || heldFt > 0) return 'ORDERS_OPEN'
  return balanceFt > (hasForfeited ? 0 : waivedFt) ? 'BALANCE_NOT_WAIVED' : null
}
