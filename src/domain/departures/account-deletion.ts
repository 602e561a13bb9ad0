import { isAlive, type ServerState } from '../servers/server-lifecycle.ts'

/**
 * The states of an account's deletion (clarifications part 3). `leaving`: access has ended and the person can still
 * cancel. `erasing`: the data are being erased, which is final.
 */
export const DELETION_STATES = ['active', 'leaving', 'erasing', 'erased'] as const
export type DeletionState = (typeof DELETION_STATES)[number]

export const DELETION_EVENTS = ['asked', 'undone', 'time-over', 'finished'] as const
export type DeletionEvent = (typeof DELETION_EVENTS)[number]

/** The table of transitions; any other is impossible. */
export const DELETION_MOVES: Readonly<Record<DeletionState, Readonly<Partial<Record<DeletionEvent, DeletionState>>>>> =
  Object.freeze({
    active: Object.freeze({ asked: 'leaving' }),
    leaving: Object.freeze({ undone: 'active', 'time-over': 'erasing' }),
    erasing: Object.freeze({ finished: 'erased' }),
    erased: Object.freeze({}),
  })

/** The state after `event` in `from`, or undefined for a transition outside the table. */
export const nextDeletionState = (from: DeletionState, event: DeletionEvent): DeletionState | undefined =>
  DELETION_MOVES[from][event]

/** How long a deletion can be undone, in minutes. */
export const UNDO_MINUTES = 14 * 24 * 60

/** When the data of a deletion requested at `askedAtMs` are erased, in epoch milliseconds. */
export const eraseAtMs = (askedAtMs: number): number => askedAtMs + UNDO_MINUTES * 60_000

/**
 * The facts about a server whose owner leaves. `state` is null before its node has reported one; times are epoch
 * milliseconds.
 */
export type LeftServer = {
  readonly state: ServerState | null
  readonly wantsToRun: boolean
  readonly suspended: boolean
  readonly expiresAtMs: number
}

/** Whether a server counts as running: it runs, or would restart automatically. */
export const countsAsRunning = (server: LeftServer, nowMs: number): boolean =>
  (server.state !== null && isAlive(server.state)) ||
  (server.wantsToRun && !server.suspended && server.expiresAtMs > nowMs)

/**
 * A payment that was unfinished for longer does not block a deletion: if its money still arrives, the account is not
 * erased.
 */
const OPEN_PAYMENT_MS = 86_400_000

/** Payments started after this time, in epoch milliseconds, may still be finished. */
export const openPaymentsSinceMs = (nowMs: number): number => nowMs - OPEN_PAYMENT_MS

/** The account's contents that a deletion would affect. Amounts in whole forints. */
export type Departure = {
  readonly balanceFt: number
  /** The debt after a charge-back. */
  readonly debtFt: number
  /** Unsettled orders; pending top-ups and refunds to their source. */
  readonly openOrders: number
  readonly openPayments: number
  readonly runningServers: number
  readonly stoppedServers: number
  readonly isLastAdministrator: boolean
}

/** The property that a person forfeits: the balance up to the amount that they saw, and the servers with remaining time. */
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

/** Why an account cannot be deleted now, or null. Obstacles that a tick removes are checked last. */
export const refuseDeletion = (departure: Departure, waiver: Waiver): DeletionRefusal | null => {
  if (departure.isLastAdministrator) return 'LAST_ADMINISTRATOR'
  // A debt ends by a top-up or by staff, never by leaving.
  if (departure.debtFt > 0) return 'DEBT_UNPAID'
  if (departure.openOrders > 0 || departure.openPayments > 0) return 'ORDERS_OPEN'
  if (departure.runningServers > 0) return 'SERVERS_RUNNING'
  if (departure.stoppedServers > 0 && !waiver.servers) return 'SERVERS_NOT_GIVEN_UP'
  return departure.balanceFt > waiver.balanceFt ? 'BALANCE_NOT_WAIVED' : null
}

/** The obstacles of an erasure. Amounts in whole forints; `heldFt` waits for the end of an order. */
export type Leftover = {
  readonly openOrders: number
  readonly heldFt: number
  /** A bank may charge a payment back during the deletion. */
  readonly debtFt: number
  readonly balanceFt: number
  /** The forfeited balance. */
  readonly waivedFt: number
  /** Whether an earlier run has given the forfeited balance to the house. */
  readonly hasForfeited: boolean
}

export type ErasureRefusal = Extract<DeletionRefusal, 'DEBT_UNPAID' | 'ORDERS_OPEN' | 'BALANCE_NOT_WAIVED'>

/** Why a person is not erased now, or null. Money that arrives after the first run was not forfeited. */
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
