import { expect, test } from 'vitest'
import { RefundServer } from '#contracts/http/server-refunds.ts'
import { ManualCredit } from '#contracts/http/staff-money.ts'
import { AssignUnmatched, CloseDispute, RefundPayment, WriteOffDebt } from '#contracts/http/staff-payments.ts'

const ID = '01890000-0000-7000-8000-000000000001'
const credit = { userId: ID, direction: 'credit', amountFt: 1, bucket: 'money' }

test.each([
  ['a refund of a payment', RefundPayment, { paymentId: ID, amountFt: 1 }],
  ['a refund of a server', RefundServer, { serverId: ID, amountFt: 1, endServer: false }],
  ['giving up a debt', WriteOffDebt, { userId: ID }],
  ['assigning money', AssignUnmatched, { unmatchedId: ID, userId: ID }],
  ['closing a dispute', CloseDispute, { paymentId: ID, outcome: 'won' }],
  ['a credit by hand', ManualCredit, credit],
])('%s takes a reason of 10 letters, tidied', (_name, schema, rest) => {
  const takes = (reason: string) => schema.safeParse({ ...rest, reason }).success
  expect(
    ['1234567890', 'only nine', '          a          ', 'e\u0301'.repeat(9), 'a'.repeat(501)].filter(takes),
  ).toEqual([])
  expect(schema.parse({ ...rest, reason: ' Ke\u0301tnapos lea\u0301lla\u0301s ' })).toMatchObject({
    reason: 'Kétnapos leállás',
  })
})
