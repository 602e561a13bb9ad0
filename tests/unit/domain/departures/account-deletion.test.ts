import { describe, expect, test } from 'vitest'
import {
  DELETION_EVENTS,
  DELETION_MOVES,
  DELETION_STATES,
  countsAsRunning,
  eraseAtMs,
  nextDeletionState,
  openPaymentsSinceMs,
  refuseDeletion,
  refuseErasure,
} from '#domain/departures/account-deletion.ts'
import type { Departure, Leftover, LeftServer } from '#domain/departures/account-deletion.ts'
import { SERVER_STATES } from '#domain/servers/server-lifecycle.ts'

const DAY_MS = 86_400_000
const nothing: Departure = {
  balanceFt: 0,
  debtFt: 0,
  openOrders: 0,
  openPayments: 0,
  runningServers: 0,
  stoppedServers: 0,
  isLastAdministrator: false,
}
const keeps = { balanceFt: 0, servers: false }

test('each state and event: the whole table', () => {
  const table = DELETION_STATES.map((from) => [from, DELETION_EVENTS.map((event) => nextDeletionState(from, event))])
  expect(Object.fromEntries(table)).toEqual({
    active: ['leaving', undefined, undefined, undefined],
    leaving: [undefined, 'active', 'erasing', undefined],
    erasing: [undefined, undefined, undefined, 'erased'],
    erased: [undefined, undefined, undefined, undefined],
  })
})

test('the table is frozen', () => {
  for (const part of [DELETION_MOVES, ...Object.values(DELETION_MOVES)]) expect(Object.isFrozen(part)).toBe(true)
})

test('the data goes 14 days later', () => {
  expect(eraseAtMs(1_000)).toBe(1_000 + 14 * DAY_MS)
})

describe('an account with nothing', () => {
  test('may go', () => expect(refuseDeletion(nothing, keeps)).toBeNull())

  test.each([
    ['the last administrator stays', { isLastAdministrator: true }, 'LAST_ADMINISTRATOR'],
    ['a debt', { debtFt: 1 }, 'DEBT_UNPAID'],
    ['an open order', { openOrders: 1 }, 'ORDERS_OPEN'],
    ['an open top-up', { openPayments: 1 }, 'ORDERS_OPEN'],
    ['a running server', { runningServers: 1 }, 'SERVERS_RUNNING'],
    ['a stopped server', { stoppedServers: 1 }, 'SERVERS_NOT_GIVEN_UP'],
    ['a balance', { balanceFt: 1 }, 'BALANCE_NOT_WAIVED'],
  ] as const)('%s keeps it', (_name, left, code) => {
    expect(refuseDeletion({ ...nothing, ...left }, keeps)).toBe(code)
  })

  test('a tick gives up servers and balance, and nothing else', () => {
    const gives = { balanceFt: 1_990, servers: true }
    expect(refuseDeletion({ ...nothing, stoppedServers: 2, balanceFt: 1_990 }, gives)).toBeNull()
    for (const left of [
      { isLastAdministrator: true },
      { debtFt: 1 },
      { openOrders: 1 },
      { openPayments: 1 },
      { runningServers: 1 },
    ])
      expect(refuseDeletion({ ...nothing, ...left }, gives)).not.toBeNull()
  })

  test('a balance that has grown since it was seen is not given up', () => {
    expect(refuseDeletion({ ...nothing, balanceFt: 1_991 }, { balanceFt: 1_990, servers: true })).toBe(
      'BALANCE_NOT_WAIVED',
    )
  })
})

describe('a server that stays behind', () => {
  const stopped: LeftServer = { state: 'offline', wantsToRun: false, suspended: false, expiresAtMs: 2_000 }

  test('counts as running in the states in which a process of it exists', () => {
    const alive = SERVER_STATES.filter((state) => countsAsRunning({ ...stopped, state }, 1_000))
    expect(alive).toEqual(['starting', 'running', 'stopping'])
  })

  test.each([
    ['nobody wants it to run', {}, false],
    ['it is to run, and will be started again', { wantsToRun: true }, true],
    ['it is to run, and its node has told no state yet', { wantsToRun: true, state: null }, true],
    ['nobody wants it to run, and its node has told no state yet', { state: null }, false],
    ['it is to run, but suspended', { wantsToRun: true, suspended: true }, false],
    ['it is to run, but its time ends at this moment', { wantsToRun: true, expiresAtMs: 1_000 }, false],
    ['it still runs though it is suspended', { state: 'running', suspended: true }, true],
    ['it still runs though its time is over', { state: 'stopping', expiresAtMs: 1 }, true],
  ] as const)('when %s', (_name, change, isRunning) => {
    expect(countsAsRunning({ ...stopped, ...change }, 1_000)).toBe(isRunning)
  })
})

test('a payment that was begun a day ago holds nothing up any more', () => {
  expect(openPaymentsSinceMs(3 * DAY_MS)).toBe(2 * DAY_MS)
})

describe('an erasure', () => {
  const done: Leftover = { openOrders: 0, heldFt: 0, debtFt: 0, balanceFt: 0, waivedFt: 0, hasForfeited: false }

  test.each([
    ['nothing is left', {}, null],
    ['an order is open', { openOrders: 1 }, 'ORDERS_OPEN'],
    ['money is held', { heldFt: 1 }, 'ORDERS_OPEN'],
    ['a bank took a payment back meanwhile', { debtFt: 1 }, 'DEBT_UNPAID'],
    ['an order is open and money is left', { openOrders: 1, balanceFt: 1 }, 'ORDERS_OPEN'],
    ['as much is left as was given up', { balanceFt: 1_990, waivedFt: 1_990 }, null],
    ['more is left than was given up', { balanceFt: 1_991, waivedFt: 1_990 }, 'BALANCE_NOT_WAIVED'],
    ['money came after the first run', { balanceFt: 1, waivedFt: 1_990, hasForfeited: true }, 'BALANCE_NOT_WAIVED'],
    ['nothing came after the first run', { waivedFt: 1_990, hasForfeited: true }, null],
  ] as const)('where %s', (_name, change, refusal) => {
    expect(refuseErasure({ ...done, ...change })).toBe(refusal)
  })
})
