import { afterAll, beforeAll, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import type { ApiRouteName } from '#contracts/routes/routes.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite, type OpenSite } from '../../support/site-routes.ts'

const SOME_ID = '0192aaaa-0000-7000-8000-000000000001'
const reason = 'Compensation for the outage.'

let site: OpenSite
let headers: Record<string, string>
/** Acts are counted for each person, so each route that is asked often has one of its own. */
const administrators = new Map<string, Record<string, string>>()
let role: string

async function administrator(username: string): Promise<Record<string, string>> {
  const person = { username, email: `${username}@example.test`, acceptTerms: true }
  await site.ask('POST /api/auth/register', { body: { ...person, password: PASSWORD, passwordConfirm: PASSWORD } })
  const { json } = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD } })
  const { db } = site.identity
  const [user] = await db.query<{ id: string }>('select id from public.users where username = $1', [username])
  await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [user?.id, role])
  return { authorization: `Bearer ${TokenAnswer.parse(json).access_token}`, 'idempotency-key': `a-key-of-${username}` }
}

beforeAll(async () => {
  site = await openSite()
  const { db, ids } = site.identity
  role = ids.next()
  await db.query(
    `insert into public.roles (id, name, slug, is_admin, active) values ($1, 'Administrators', 'admins', true, true)`,
    [role],
  )
  headers = await administrator('anna')
  for (const [index, [name]] of WITH_AMOUNT.entries()) administrators.set(name, await administrator(`anna-${index}`))
})
afterAll(() => site.close())

const codeOf = (json: unknown) => ErrorBody.parse(json).error.code
const BAD = [0, -1, 1.5, null, 'NaN', '1', '1e3', '10,5', '٣', 10_000_001, 2 ** 63, [], [1], {}, true]
const CREDIT = { userId: SOME_ID, direction: 'credit', bucket: 'money', reason }
const WITH_AMOUNT: readonly [ApiRouteName, object][] = [
  ['POST /api/admin/credits', CREDIT],
  ['POST /api/admin/payments/{id}/refund', { reason }],
  ['POST /api/admin/unmatched/{id}', { reason, userId: SOME_ID }],
  ['POST /api/admin/payments/{id}/dispute', { reason, outcome: 'lost' }],
  ['POST /api/admin/servers/{id}/refund', { reason }],
]

test.each(
  WITH_AMOUNT.flatMap(([name, body]) =>
    BAD.map((amountFt) => [name, JSON.stringify(amountFt), { ...body, amountFt }] as const),
  ),
)('%s with %s forints is a clear 400', async (name, _, body) => {
  const { status, json } = await site.ask(name, { headers: administrators.get(name) ?? {}, body })
  expect([status, codeOf(json)]).toEqual([400, 'VALIDATION'])
})

test.each([
  ['POST /api/admin/credits', { ...CREDIT, amountFt: 1, reason: 'short' }],
  ['POST /api/admin/credits', { ...CREDIT, amountFt: 1, direction: 'up' }],
  ['POST /api/admin/credits', { ...CREDIT, amountFt: 1, bucket: 'gold' }],
  ['POST /api/admin/credits', { ...CREDIT, amountFt: 1, userId: 'anna' }],
  ['POST /api/admin/proposals/{id}', { decision: 'maybe' }],
  ['POST /api/admin/debts/{id}/write-off', { reason: '' }],
  ['POST /api/admin/debts/{id}/write-off', { reason: 'a'.repeat(501) }],
  ['POST /api/admin/payments/{id}/refund', { amountFt: 1, reason: ' '.repeat(20) }],
  ['POST /api/admin/payments/{id}/refund', { amountFt: 1, reason: 'a'.repeat(501) }],
  ['POST /api/admin/payments/{id}/dispute', { reason, outcome: 'none' }],
  ['POST /api/admin/payments/{id}/dispute', { reason: 'short', outcome: 'won' }],
  ['POST /api/admin/payments/{id}/dispute', { reason: 'a'.repeat(501), outcome: 'won' }],
  ['POST /api/admin/servers/{id}/refund', { reason: '' }],
  ['POST /api/admin/servers/{id}/refund', { reason: 'a'.repeat(501) }],
  ['POST /api/admin/servers/{id}/refund', { reason, endServer: 'yes' }],
] as const)('%s with %o gets a clear 400', async (name, body) => {
  const { status, json } = await site.ask(name, { headers, body })
  expect([status, codeOf(json)]).toEqual([400, 'VALIDATION'])
})

test.each([
  ['GET /api/admin/ledger', '?before=1;drop'],
  ['GET /api/admin/ledger', '?day=2026-13-01'],
  ['GET /api/admin/ledger', '?limit=0'],
  ['GET /api/admin/ledger/days', '?from=yesterday&to=2026-01-01'],
  ['GET /api/admin/transactions', '?type=gift'],
  ['GET /api/admin/transactions', '?userId=anna'],
  ['GET /api/admin/proposals', '?all=perhaps'],
  ['GET /api/admin/invoices', '?userId=anna'],
  ['GET /api/admin/invoices', '?number=' + '1'.repeat(65)],
  ['GET /api/admin/servers', ''],
  ['GET /api/admin/servers', '?userId=anna'],
] as const)('%s%s gets a clear 400', async (name, search) => {
  const { status, json } = await site.ask(name, { headers, search })
  expect([status, codeOf(json)]).toEqual([400, 'VALIDATION'])
})

test('valid requests reach the control plane, which does not respond here; each movement of money has a key', async () => {
  const body = { ...CREDIT, amountFt: 1 }
  expect((await site.ask('POST /api/admin/credits', { headers, body })).status).toBe(503)
  const { authorization = '' } = headers
  for (const name of [
    'POST /api/admin/credits',
    'POST /api/admin/proposals/{id}',
    'POST /api/admin/payments/{id}/refund',
    'POST /api/admin/payments/{id}/dispute',
    'POST /api/admin/servers/{id}/refund',
  ] as const) {
    const bodies = { ...body, decision: 'confirm', outcome: 'lost' }
    const { json } = await site.ask(name, { headers: { authorization }, body: bodies })
    expect([name, codeOf(json)]).toEqual([name, 'IDEMPOTENCY_KEY_MISSING'])
  }
})
