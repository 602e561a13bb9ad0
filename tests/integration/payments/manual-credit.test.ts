import { describe, expect, it } from 'vitest'
import { INTERNAL_CALLS, type InternalCallName } from '#contracts/internal-api/calls.ts'
import { systemIds } from '#platform/ids.ts'
import { PROPOSAL_LIFE_MS } from '#domain/payments/manual-credit.ts'
import { barionTill } from '../../factories/barion-till.ts'
import { callMoney } from '../../factories/money-api.ts'
import { balanceOf, callerOf, credit } from '../../factories/shop.ts'
import { START_MS } from '../../factories/till-of.ts'

const HOUR = 60 * 60 * 1000
const LIMIT = 10_000
const reason = 'Compensation for the outage.'

const books = barionTill()
const { till } = books
type Who = ReturnType<typeof callerOf>
const administrator = (): Who => ({ ...callerOf(systemIds.next()), isAdmin: true })
const anna = administrator()
const bela = administrator()

type Asking = { by?: Who; key?: string; atMs?: number }
const call = (name: InternalCallName, input: object, { by = anna, key, atMs = START_MS }: Asking = {}) =>
  callMoney(till.context({ now: () => atMs }), name, { input: { caller: by, ...input }, key })

async function person() {
  const id = systemIds.next()
  await books.database.owner.query('insert into cms_api.people (id) values ($1)', [id])
  return id
}
type Wish = { direction?: 'credit' | 'debit'; bucket?: 'money' | 'bonus'; withDebt?: boolean; reason?: string }
const move = (userId: string, amountFt: number, { wish = {}, ...asking }: Asking & { wish?: Wish } = {}) =>
  call('manual-credit', { userId, amountFt, direction: 'credit', bucket: 'money', reason, ...wish }, asking)
const credited = (answer: { json: unknown }) => INTERNAL_CALLS['manual-credit'].output.parse(answer.json)
const decide = (proposalId: string, decision: 'confirm' | 'refuse', asking: Asking = {}) =>
  call('decide-proposal', { proposalId, decision }, asking)
const money = async (userId: string) => Number((await balanceOf(books.database.db, userId)).money)
const bonus = async (userId: string) =>
  Number((await till.context().ledgerOn(books.database.db).userBalance(userId, 'HUF')).bonus.minor)
const owed = async (userId: string) => {
  const { items } = INTERNAL_CALLS['staff-debts'].output.parse((await call('staff-debts', {})).json)
  return items.find((debt) => debt.userId === userId)?.debtFt ?? 0
}
async function proposed(userId: string, amountFt = LIMIT + 1, wish: Wish = {}) {
  const answer = credited(await move(userId, amountFt, { wish }))
  expect(answer.state).toBe('proposed')
  return answer.id
}

describe('movements of a balance by staff', () => {
  it('a credit up to the limit is made at once, with a line, a notification, the new balance and both logs', async () => {
    const userId = await person()
    expect(credited(await move(userId, LIMIT))).toMatchObject({ state: 'done', expiresAt: null })
    expect(await money(userId)).toBe(LIMIT)
    expect(await till.statement(userId)).toEqual([
      { type: 'correction', amount: LIMIT, status: 'finished', refundedFt: 0 },
    ])
    const told = await books.database.owner.query('select text, data from control.notifications where user_id = $1', [
      userId,
    ])
    expect(told).toEqual([{ text: 'balance.corrected', data: { amount: LIMIT, reason } }])
    const events = await books.database.owner.query<{ payload: { message: { data: object } } }>(
      `select payload from control.outbox where payload->'userIds' ? $1 and payload->'message'->>'event' = 'balance.change'`,
      [userId],
    )
    expect(events.map(({ payload }) => payload.message.data)).toEqual([
      { type: 'correction up', change: LIMIT, balance: LIMIT },
    ])
    const logged = await books.database.owner.query<{ detail: object }>(
      `select detail from control.activities where user_id = $1 and type = 'staff.credit' and detail->>'userId' = $2`,
      [anna.userId, userId],
    )
    expect(logged).toHaveLength(1)
    expect(logged[0]?.detail).toMatchObject({ userId, amountFt: LIMIT, reason, proposalId: null })
  })

  it('a bonus is granted at the cost of gifts, and is not money', async () => {
    const userId = await person()
    await move(userId, 700, { wish: { bucket: 'bonus' } })
    expect([await money(userId), await bonus(userId)]).toEqual([0, 700])
    await move(userId, 300, { wish: { bucket: 'bonus', direction: 'debit' } })
    expect(await bonus(userId)).toBe(400)
    expect((await move(userId, 401, { wish: { bucket: 'bonus', direction: 'debit' } })).code).toBe(
      'INSUFFICIENT_BALANCE',
    )
  })

  it('a movement is made once per key, twenty times at once and repeated', async () => {
    const userId = await person()
    const answers = await Promise.all(Array.from({ length: 20 }, () => move(userId, 100, { key: `once-${userId}` })))
    expect(answers.every(({ status, code }) => status === 200 || code === 'IN_PROGRESS')).toBe(true)
    const again = await move(userId, 100, { key: `once-${userId}` })
    expect(again.status).toBe(200)
    expect(await money(userId)).toBe(100)
    expect((await move(userId, 101, { key: `once-${userId}` })).code).toBe('IDEMPOTENCY_MISMATCH')
  })

  it('a debit takes no more than the spendable balance, unless the rest becomes a debt', async () => {
    const userId = await person()
    await move(userId, 500)
    expect((await move(userId, 501, { wish: { direction: 'debit' } })).code).toBe('INSUFFICIENT_BALANCE')
    expect(await money(userId)).toBe(500)
    expect((await move(userId, 800, { wish: { direction: 'debit', withDebt: true } })).status).toBe(200)
    expect([await money(userId), await owed(userId)]).toEqual([0, 300])
    const told = await books.database.owner.query<{ data: object }>(
      'select data from control.notifications where user_id = $1 order by id',
      [userId],
    )
    expect(told.map(({ data }) => data)).toEqual([
      { amount: 500, reason },
      { amount: -800, reason, debt: 300 },
    ])
    // A customer who owes may spend nothing, so nothing may be taken but as a debt.
    await move(userId, 200, { wish: { bucket: 'bonus' } })
    expect((await move(userId, 100, { wish: { direction: 'debit', bucket: 'bonus' } })).code).toBe(
      'INSUFFICIENT_BALANCE',
    )
    await move(userId, 400)
    expect([await money(userId), await owed(userId)]).toEqual([100, 0])
  })

  it.each([
    ['a reason of digits', { reason: '1234567890 12345' }],
    ['a short reason', { reason: 'because' }],
    ['a bonus as a debt', { bucket: 'bonus', direction: 'debit', withDebt: true }],
    ['a credit with debt', { withDebt: true }],
  ] as const)('a movement is refused with %s', async (_, wish) => {
    const userId = await person()
    expect((await move(userId, 100, { wish })).status).toBe(400)
    expect(await money(userId)).toBe(0)
  })

  it('only administrators move balances, and only of existing customers', async () => {
    const userId = await person()
    for (const by of [callerOf(userId), { ...callerOf(systemIds.next()), isSupport: true }]) {
      expect((await move(userId, 100, { by })).status).toBe(403)
    }
    expect(await move(systemIds.next(), 100)).toMatchObject({
      status: 400,
      json: { error: { fields: { userId: 'notFound' } } },
    })
  })
})

describe('the approver', () => {
  it('a movement above the limit needs an approver: nothing moves before', async () => {
    const userId = await person()
    const id = await proposed(userId)
    expect(await money(userId)).toBe(0)
    const { items, limitFt } = INTERNAL_CALLS['staff-proposals'].output.parse((await call('staff-proposals', {})).json)
    expect(limitFt).toBe(LIMIT)
    expect(items.find((each) => each.id === id)).toMatchObject({ userId, amountFt: LIMIT + 1, state: 'open', reason })
    expect((await decide(id, 'confirm', { by: bela })).json).toEqual({ state: 'confirmed' })
    expect(await money(userId)).toBe(LIMIT + 1)
    const logged = await books.database.owner.query<{ detail: object }>(
      `select detail from control.activities where detail->>'proposalId' = $1 and type = 'staff.credit'`,
      [id],
    )
    expect(logged.map(({ detail }) => detail)).toMatchObject([{ confirmedBy: bela.userId, userId }])
  })

  it('the proposer cannot approve, but only withdraw the proposal', async () => {
    const userId = await person()
    const id = await proposed(userId)
    expect(await decide(id, 'confirm')).toMatchObject({ status: 403, code: 'SECOND_PERSON_NEEDED' })
    expect(await money(userId)).toBe(0)
    expect((await decide(id, 'refuse')).json).toEqual({ state: 'refused' })
    expect((await decide(id, 'confirm', { by: bela })).code).toBe('CONFLICT')
    expect(await money(userId)).toBe(0)
  })

  it('the database too refuses the proposer as approver', async () => {
    const id = await proposed(await person())
    await expect(
      books.database.owner.query(
        `update control.money_proposals set state = 'confirmed', decided_by = proposed_by, decided_at = now() where id = $1`,
        [id],
      ),
    ).rejects.toThrow(/second_person/)
  })

  it.each([
    ['support', () => ({ ...callerOf(systemIds.next()), isSupport: true })],
    ['a customer', () => callerOf(systemIds.next())],
  ])('the approver is not %s', async (_, by) => {
    const userId = await person()
    const id = await proposed(userId)
    expect((await decide(id, 'confirm', { by: by() })).status).toBe(403)
    expect((await call('staff-proposals', {}, { by: by() })).status).toBe(403)
    expect(await money(userId)).toBe(0)
  })

  it('a proposal is approved once, however many approve at the same time', async () => {
    const userId = await person()
    const id = await proposed(userId)
    const all = Array.from({ length: 10 }, () => decide(id, 'confirm', { by: administrator() }))
    const answers = await Promise.all(all)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'CONFLICT')).toHaveLength(9)
    expect(await money(userId)).toBe(LIMIT + 1)
  })

  it('an approval is made once per key, twenty times at once', async () => {
    const userId = await person()
    const id = await proposed(userId)
    for (let i = 0; i < 20; i += 1) {
      expect((await decide(id, 'confirm', { by: bela, key: `confirm-${id}` })).json).toEqual({ state: 'confirmed' })
    }
    expect(await money(userId)).toBe(LIMIT + 1)
  })

  it('a proposal cannot be approved after 7 days', async () => {
    const userId = await person()
    const id = await proposed(userId)
    const atMs = START_MS + PROPOSAL_LIFE_MS
    expect((await decide(id, 'confirm', { by: bela, atMs })).code).toBe('INVALID_STATE')
    const page = await call('staff-proposals', { all: true }, { atMs })
    const { items } = INTERNAL_CALLS['staff-proposals'].output.parse(page.json)
    expect(items.find((each) => each.id === id)?.state).toBe('expired')
    expect((await decide(id, 'confirm', { by: bela, atMs: atMs - 1 })).status).toBe(200)
  })

  it('many small amounts of one person within 24 hours need an approver', async () => {
    const userId = await person()
    expect(credited(await move(userId, 6_000)).state).toBe('done')
    expect(credited(await move(userId, 4_001)).state).toBe('proposed')
    expect(credited(await move(userId, 4_000)).state).toBe('done')
    expect(credited(await move(userId, 1)).state).toBe('proposed')
    // Another customer, and another administrator, are counted for themselves; so is another day.
    expect(credited(await move(await person(), LIMIT)).state).toBe('done')
    expect(credited(await move(userId, 1, { by: bela })).state).toBe('done')
    expect(credited(await move(userId, 1, { atMs: START_MS + 24 * HOUR + 1 })).state).toBe('done')
  })

  it('one of many small concurrent amounts needs an approver', async () => {
    const userId = await person()
    const answers = await Promise.all(Array.from({ length: 8 }, () => move(userId, 3_000)))
    const states = answers.map((answer) => credited(answer).state)
    expect(states.filter((state) => state === 'done')).toHaveLength(3)
    expect(await money(userId)).toBe(9_000)
  })

  it('debits count towards the limit too', async () => {
    const userId = await person()
    await credit(books.database.db, { userId, amountFt: 30_000n })
    expect(credited(await move(userId, 9_000, { wish: { direction: 'debit' } })).state).toBe('done')
    expect(credited(await move(userId, 2_000)).state).toBe('proposed')
  })

  it('an approval for a customer who left moves nothing', async () => {
    const userId = await person()
    const id = await proposed(userId)
    await books.database.owner.query('insert into cms_api.erased_people values ($1)', [userId])
    expect(await decide(id, 'confirm', { by: bela })).toMatchObject({
      status: 400,
      json: { error: { fields: { userId: 'notFound' } } },
    })
    expect(await money(userId)).toBe(0)
    expect((await move(userId, 100)).status).toBe(400)
  })

  it('an approval of a debit that was spent meanwhile leaves the proposal open', async () => {
    const userId = await person()
    await credit(books.database.db, { userId, amountFt: 20_000n })
    const id = await proposed(userId, 20_000, { direction: 'debit' })
    await move(userId, 5_000, { by: bela, wish: { direction: 'debit' } })
    expect((await decide(id, 'confirm', { by: bela })).code).toBe('INSUFFICIENT_BALANCE')
    await credit(books.database.db, { userId, amountFt: 5_000n })
    expect((await decide(id, 'confirm', { by: bela })).status).toBe(200)
    expect(await money(userId)).toBe(0)
  })

  it('the limit in the settings applies', async () => {
    await books.database.owner.query('update cms_api.money_settings set manual_credit_limit_ft = 0')
    const userId = await person()
    expect(credited(await move(userId, 1)).state).toBe('proposed')
    await books.database.owner.query('update cms_api.money_settings set manual_credit_limit_ft = $1', [LIMIT])
    expect(credited(await move(userId, 1)).state).toBe('done')
  })
})

describe('a refund to its source', () => {
  async function paid(amount: number, whose?: string) {
    const userId = whose ?? (await person())
    const opened = await till.open({ method: 'barion', amount, userId })
    books.rig.barion.decide(opened.providerPaymentId, 'succeed')
    await till.routes().request(`/payments/webhooks/barion?paymentId=${opened.providerPaymentId}`, { method: 'POST' })
    return opened
  }
  const refund = async (paymentId: string, amountFt: number) =>
    INTERNAL_CALLS['refund-payment'].output.parse((await call('refund-payment', { paymentId, amountFt, reason })).json)

  it('a refund above the limit waits for an approver, who sends it once', async () => {
    const { userId, paymentId } = await paid(25_000)
    const { refundId: id, state } = await refund(paymentId, 20_000)
    expect([state, await money(userId)]).toEqual(['proposed', 25_000])
    expect((await decide(id, 'confirm')).code).toBe('SECOND_PERSON_NEEDED')
    expect((await decide(id, 'confirm', { by: bela })).status).toBe(200)
    expect(await money(userId)).toBe(5_000)
    const rows = await books.database.owner.query(
      'select state, proposal_id from control.refunds where payment_id = $1',
      [paymentId],
    )
    expect(rows).toEqual([{ state: 'succeeded', proposal_id: id }])
    expect((await decide(id, 'confirm', { by: bela })).code).toBe('CONFLICT')
  })

  it('two concurrent refunds of two payments need an approver too', async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      const userId = await person()
      const payments = [await paid(6_000, userId), await paid(6_000, userId)]
      const begun = await Promise.all(payments.map(({ paymentId }) => refund(paymentId, 6_000)))
      expect(begun.map(({ state }) => state).sort()).toEqual(['proposed', 'succeeded'])
    }
  })

  it('a refund counts together with the same person’s other movements', async () => {
    const { userId, paymentId } = await paid(9_000)
    expect((await refund(paymentId, 5_000)).state).toBe('succeeded')
    expect(credited(await move(userId, 5_001)).state).toBe('proposed')
    expect((await refund(paymentId, 4_000)).state).toBe('succeeded')
  })
})
