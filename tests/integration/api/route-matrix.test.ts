import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { ErrorBody } from '#contracts/http/errors.ts'
import { API_ROUTES } from '#contracts/routes/routes.ts'
import type { ApiRouteName } from '#contracts/routes/routes.ts'
import { PASSWORD } from '../../support/people.ts'
import { openSite } from '../../support/site-routes.ts'
import type { OpenSite } from '../../support/site-routes.ts'

/**
 * The people who may make each call, written down apart from the routes themselves: a route without a row does not
 * compile, and one whose row says something else fails. `whose` says of a call that names something by its id who looks
 * after that it is the caller's.
 */
type Row = {
  readonly may: 'anybody' | 'signed in' | 'administrators' | 'who holds a refresh token'
  readonly whose?: 'site' | 'control plane'
}
const ANYBODY: Row = { may: 'anybody' }
const SIGNED_IN: Row = { may: 'signed in' }
const OF_THE_SITE: Row = { may: 'signed in', whose: 'site' }
/** Their ownership: tests/integration/api/foreign-ids.test.ts. */
const OF_THE_CONTROL_PLANE: Row = { may: 'signed in', whose: 'control plane' }
/** The things that they name are anybody's: that is what they are for. */
const ADMINISTRATORS: Row = { may: 'administrators', whose: 'control plane' }

const MATRIX = {
  'POST /api/auth/register': ANYBODY,
  'POST /api/auth/login': ANYBODY,
  'POST /api/auth/login/factor': ANYBODY,
  'POST /api/auth/passkey/options': ANYBODY,
  'POST /api/auth/passkey/login': ANYBODY,
  'POST /api/auth/refresh': { may: 'who holds a refresh token' },
  'POST /api/auth/logout': ANYBODY,
  'POST /api/auth/passwordreset': ANYBODY,
  'POST /api/auth/passwordreset/confirm': ANYBODY,
  'POST /api/auth/email/confirm': ANYBODY,
  'POST /api/auth/email/undo': ANYBODY,
  'POST /api/auth/verify': SIGNED_IN,
  'POST /api/auth/verify/resend': SIGNED_IN,
  'GET /api/auth/gateway-ticket': SIGNED_IN,
  'GET /api/user/me': SIGNED_IN,
  'PATCH /api/user/me': SIGNED_IN,
  'POST /api/user/picture': SIGNED_IN,
  'DELETE /api/user/picture': SIGNED_IN,
  // Everybody who knows the id, which nobody can guess, may see the picture:
  // tests/integration/identity/profile-picture.test.ts.
  'GET /api/uploads/profile/{id}': { may: 'anybody', whose: 'site' },
  'POST /api/user/password': SIGNED_IN,
  'POST /api/user/email': SIGNED_IN,
  'POST /api/auth/deletion/undo': ANYBODY,
  'GET /api/user/discord': SIGNED_IN,
  'POST /api/user/discord': SIGNED_IN,
  'DELETE /api/user/discord': SIGNED_IN,
  'POST /api/user/export': SIGNED_IN,
  'GET /api/user/deletion': SIGNED_IN,
  'POST /api/user/deletion': SIGNED_IN,
  'GET /api/user/2fa': SIGNED_IN,
  'POST /api/user/2fa/setup': SIGNED_IN,
  'POST /api/user/2fa/enable': SIGNED_IN,
  'POST /api/user/2fa/disable': SIGNED_IN,
  'POST /api/user/2fa/recovery-codes': SIGNED_IN,
  'POST /api/user/passkeys/options': SIGNED_IN,
  'POST /api/user/passkeys': SIGNED_IN,
  'PATCH /api/user/passkeys/{id}': OF_THE_SITE,
  'POST /api/user/passkeys/{id}/remove': OF_THE_SITE,
  'GET /api/user/sessions': SIGNED_IN,
  'POST /api/user/sessions/{id}/end': OF_THE_SITE,
  'GET /api/user/servers': SIGNED_IN,
  'GET /api/user/server-layout': SIGNED_IN,
  'GET /api/user/player-counts': SIGNED_IN,
  'GET /api/user/summary-layout': SIGNED_IN,
  'POST /api/user/summary-layout': SIGNED_IN,
  'GET /api/stats/players': SIGNED_IN,
  'GET /api/stats/host': SIGNED_IN,
  'GET /api/voting': SIGNED_IN,
  'POST /api/voting/{id}/vote': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/log-shares': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/log-shares': OF_THE_CONTROL_PLANE,
  'DELETE /api/server/{id}/log-shares/{shareId}': OF_THE_CONTROL_PLANE,
  'POST /api/user/server-layout': OF_THE_CONTROL_PLANE,
  'GET /api/user/notifications': SIGNED_IN,
  'POST /api/user/notifications/read': SIGNED_IN,
  'GET /api/user/notifications/settings': SIGNED_IN,
  'PUT /api/user/notifications/settings': SIGNED_IN,
  'POST /api/user/notifications/push': SIGNED_IN,
  'POST /api/user/notifications/push/remove': SIGNED_IN,
  'GET /api/user/activities': SIGNED_IN,
  'GET /api/services': ANYBODY,
  'POST /api/orders/quote': SIGNED_IN,
  'POST /api/orders': SIGNED_IN,
  'GET /api/balance': SIGNED_IN,
  'GET /api/guides': SIGNED_IN,
  'POST /api/guides/matching': SIGNED_IN,
  'GET /api/balance/transactions': SIGNED_IN,
  'GET /api/balance/transactions/{id}': OF_THE_CONTROL_PLANE,
  'GET /api/balance/invoices': SIGNED_IN,
  'GET /api/balance/invoices/{id}/pdf': OF_THE_CONTROL_PLANE,
  'GET /api/balance/invoices/csv': SIGNED_IN,
  'GET /api/balance/tax': SIGNED_IN,
  'POST /api/balance/topup': SIGNED_IN,
  'POST /api/balance/topup/check': OF_THE_CONTROL_PLANE,
  'POST /api/balance/topup/cancel': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/ws': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/users': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/sharing': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/users': OF_THE_CONTROL_PLANE,
  'PUT /api/server/{id}/users/{userId}': OF_THE_CONTROL_PLANE,
  'DELETE /api/server/{id}/users/{userId}': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/users/{userId}/see-as': OF_THE_CONTROL_PLANE,
  'GET /api/user/invitations': SIGNED_IN,
  'POST /api/user/invitations/{id}/accept': OF_THE_CONTROL_PLANE,
  'POST /api/user/invitations/{id}/decline': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/power': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/token': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/ports': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/ports': OF_THE_CONTROL_PLANE,
  'PATCH /api/server/{id}/ports/{portId}': OF_THE_CONTROL_PLANE,
  'DELETE /api/server/{id}/ports/{portId}': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/ports/{portId}/primary': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/ports/{portId}/check': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/settings': OF_THE_CONTROL_PLANE,
  'PUT /api/server/{id}/settings/identity': OF_THE_CONTROL_PLANE,
  'PUT /api/server/{id}/settings/operation': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/reinstall': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/starts': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/visit': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/known-errors': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/described-files': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/startup': OF_THE_CONTROL_PLANE,
  'PUT /api/server/{id}/startup': OF_THE_CONTROL_PLANE,
  'PUT /api/server/{id}/startup/image': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/startup/secret': OF_THE_CONTROL_PLANE,
  'GET /api/premium': SIGNED_IN,
  'POST /api/premium': SIGNED_IN,
  'GET /api/spin': SIGNED_IN,
  'POST /api/spin': SIGNED_IN,
  'POST /api/spin/buy': SIGNED_IN,
  'POST /api/spin/coupon': SIGNED_IN,
  'GET /api/spin/history': SIGNED_IN,
  'GET /api/spin/{id}': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/activities': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/renewal': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/renew': OF_THE_CONTROL_PLANE,
  'PUT /api/server/{id}/auto-renewal': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/archive': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/size': OF_THE_CONTROL_PLANE,
  'GET /api/withdrawal': OF_THE_CONTROL_PLANE,
  'POST /api/withdrawal': OF_THE_CONTROL_PLANE,
  'POST /api/withdrawal/confirm': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/conversion/quote': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/conversion': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/modification': OF_THE_CONTROL_PLANE,
  'GET /api/server/{id}/packages': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/package': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/package/keep': OF_THE_CONTROL_PLANE,
  'POST /api/server/{id}/modification/quote': OF_THE_CONTROL_PLANE,
  'GET /api/user/file-access': SIGNED_IN,
  'POST /api/user/ssh-keys': SIGNED_IN,
  'POST /api/user/ssh-keys/{id}/remove': OF_THE_SITE,
  'POST /api/user/app-passwords': SIGNED_IN,
  'POST /api/user/app-passwords/{id}/remove': OF_THE_SITE,
  'POST /api/error-report': ANYBODY,
  'GET /api/global-message': ANYBODY,
  'GET /api/switches': ANYBODY,
  'POST /api/global-message/dismiss': SIGNED_IN,
  'GET /api/ticket/all': SIGNED_IN,
  'GET /api/ticket/categories': SIGNED_IN,
  'POST /api/ticket': SIGNED_IN,
  'GET /api/ticket/{id}': OF_THE_CONTROL_PLANE,
  'POST /api/ticket/{id}/messages': OF_THE_CONTROL_PLANE,
  // For staff alone, as the control plane decides with the ticket: tests/integration/tickets/tickets.test.ts.
  'POST /api/ticket/{id}/notes': OF_THE_CONTROL_PLANE,
  'POST /api/ticket-attachment': SIGNED_IN,
  'DELETE /api/ticket-attachment/{id}': OF_THE_CONTROL_PLANE,
  'GET /api/ticket/{id}/attachments/{attachmentId}': OF_THE_CONTROL_PLANE,
  'POST /api/ticket/{id}/close': OF_THE_CONTROL_PLANE,
  'POST /api/ticket/{id}/reopen': OF_THE_CONTROL_PLANE,
  'POST /api/ticket/{id}/read': OF_THE_CONTROL_PLANE,
  'POST /api/ticket/{id}/rating': OF_THE_CONTROL_PLANE,
  // The calls of staff; the control plane decides with the ticket: tests/integration/tickets/ticket-staff.test.ts.
  'GET /api/ticket/queue': SIGNED_IN,
  'GET /api/ticket/figures': SIGNED_IN,
  'GET /api/ticket-context/{id}': OF_THE_CONTROL_PLANE,
  'GET /api/ticket/{id}/customer': OF_THE_CONTROL_PLANE,
  'GET /api/ticket/{id}/colleagues': OF_THE_CONTROL_PLANE,
  'PUT /api/ticket/{id}/assignee': OF_THE_CONTROL_PLANE,
  'PUT /api/ticket/{id}/category': OF_THE_CONTROL_PLANE,
  'POST /api/ticket/{id}/merge': OF_THE_CONTROL_PLANE,
  'POST /api/ticket/{id}/test-server': OF_THE_CONTROL_PLANE,
  'POST /api/ticket/{id}/people': OF_THE_CONTROL_PLANE,
  'DELETE /api/ticket/{id}/people/{userId}': OF_THE_CONTROL_PLANE,
  'DELETE /api/ticket/{id}': OF_THE_CONTROL_PLANE,
  'GET /api/status': ANYBODY,
  'GET /api/admin/transactions': ADMINISTRATORS,
  'GET /api/admin/payments': ADMINISTRATORS,
  'POST /api/admin/payments/{id}/refund': ADMINISTRATORS,
  'POST /api/admin/payments/{id}/dispute': ADMINISTRATORS,
  'GET /api/admin/invoices': ADMINISTRATORS,
  'GET /api/admin/invoices/{id}/pdf': ADMINISTRATORS,
  'GET /api/admin/servers': ADMINISTRATORS,
  'GET /api/admin/servers/{id}/refund': ADMINISTRATORS,
  'POST /api/admin/servers/{id}/refund': ADMINISTRATORS,
  'GET /api/admin/unmatched': ADMINISTRATORS,
  'POST /api/admin/unmatched/{id}': ADMINISTRATORS,
  'GET /api/admin/ledger': ADMINISTRATORS,
  'GET /api/admin/ledger/accounts': ADMINISTRATORS,
  'GET /api/admin/ledger/days': ADMINISTRATORS,
  'GET /api/admin/ledger/audit': ADMINISTRATORS,
  'GET /api/admin/debts': ADMINISTRATORS,
  'POST /api/admin/debts/{id}/write-off': ADMINISTRATORS,
  'POST /api/admin/credits': ADMINISTRATORS,
  'GET /api/admin/proposals': ADMINISTRATORS,
  'POST /api/admin/proposals/{id}': ADMINISTRATORS,
  'POST /api/admin/test-servers': ADMINISTRATORS,
  'GET /api/admin/billing-clock': ADMINISTRATORS,
  'POST /api/admin/billing-clock': ADMINISTRATORS,
} as const satisfies Record<ApiRouteName, Row>

const ROUTES = Object.keys(API_ROUTES) as ApiRouteName[]
const rowOf = (name: ApiRouteName): Row => MATRIX[name]
const SIGNED_IN_ROUTES = ROUTES.filter((name) => rowOf(name).may === 'signed in')

type Answer = Awaited<ReturnType<OpenSite['ask']>>
let site: OpenSite
type Someone = { readonly userId: string; readonly sessionId: string; readonly headers: Record<string, string> }
const callers: Partial<Record<'customer' | 'support' | 'administrator' | 'victim' | 'gone', Someone>> = {}
const someone = (name: keyof typeof callers): Someone => callers[name] as Someone

const signIn = async (username: string): Promise<Record<string, string>> => {
  const { json } = await site.ask('POST /api/auth/login', { body: { username, password: PASSWORD } })
  return { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` }
}

const join = async (username: keyof typeof callers): Promise<Someone> => {
  const person = { username: `the-${username}`, email: `${username}@example.test`, acceptTerms: true }
  await site.ask('POST /api/auth/register', { body: { ...person, password: PASSWORD, passwordConfirm: PASSWORD } })
  const { db } = site.identity
  const [user] = await db.query<{ id: string }>('select id from public.users where username = $1', [person.username])
  const headers = await signIn(person.username)
  const [session] = await db.query<{ id: string }>(
    'select id from identity.sessions where user_id = $1 order by created_at desc limit 1',
    [user?.id],
  )
  return { userId: user?.id ?? '', sessionId: session?.id ?? '', headers }
}

const giveRole = async ({ userId }: Someone, flag: 'is_admin' | 'is_support'): Promise<void> => {
  const { db, ids } = site.identity
  const id = ids.next()
  await db.query(`insert into public.roles (id, name, slug, ${flag}, active) values ($1, $2, $2, true, true)`, [
    id,
    `role ${id}`,
  ])
  await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [userId, id])
}

const errorOf = (json: unknown): string | undefined => ErrorBody.safeParse(json).data?.error.code

/** Refusals of the guards: nothing behind them ran. */
const OF_THE_GUARDS = ['UNAUTHENTICATED', 'FORBIDDEN']

/**
 * Whether a call passed its guards and was answered as its contract says: it succeeded, or was refused for its input, or
 * needed the control plane, which is away in this test. A failure of the site is none of these.
 */
const isAnswered = ({ status, json }: Pick<Answer, 'status' | 'json'>): boolean => {
  const code = errorOf(json)
  if (status < 300) return code === undefined
  if (code === undefined || OF_THE_GUARDS.includes(code)) return false
  return status < 500 || (status === 503 && code === 'CONTROL_PLANE_UNAVAILABLE')
}

beforeAll(async () => {
  site = await openSite()
  for (const name of ['customer', 'support', 'administrator', 'victim', 'gone'] as const)
    callers[name] = await join(name)
  await giveRole(someone('support'), 'is_support')
  await giveRole(someone('administrator'), 'is_admin')
  await site.ask('POST /api/auth/logout', { headers: someone('gone').headers })
})
afterAll(() => site.close())

test('each call is served, and has a row', async () => {
  const absent = []
  for (const name of ROUTES) {
    const { status, json } = await site.ask(name, { headers: { 'accept-language': 'hu' } })
    // A method that no call takes is refused in the words of the protocol, a call that finds nothing in the caller's.
    if (status === 405 || ErrorBody.safeParse(json).data?.error.message === 'Not found.') absent.push(name)
  }
  expect(absent).toEqual([])
  const naming = ROUTES.filter((name) => name.includes('{id}'))
  expect(naming.filter((name) => rowOf(name).whose === undefined)).toEqual([])
})

describe.each(ROUTES)('%s', (name) => {
  const { may } = rowOf(name)

  test.each(['nobody', 'whoever signed out'] as const)(`by %s`, async (who) => {
    const headers = who === 'nobody' ? {} : someone('gone').headers
    const { status, json } = await site.ask(name, { headers })
    if (may === 'anybody')
      expect([status, errorOf(json), isAnswered({ status, json })]).toEqual([status, errorOf(json), true])
    else expect([status, errorOf(json)]).toEqual([401, 'UNAUTHENTICATED'])
  })
})

describe.each(ROUTES.filter((name) => rowOf(name).may === 'administrators'))('%s', (name) => {
  test('T76: by administrators, and by no customer or support', async () => {
    for (const who of ['customer', 'support'] as const) {
      const { status, json } = await site.ask(name, { headers: someone(who).headers })
      expect([who, status, errorOf(json)]).toEqual([who, 403, 'FORBIDDEN'])
    }
    const { status, json } = await site.ask(name, { headers: someone('administrator').headers })
    expect([status, errorOf(json), isAnswered({ status, json })]).toEqual([status, errorOf(json), true])
  })
})

describe.each(ROUTES.filter((name) => rowOf(name).may !== 'administrators'))('%s', (name) => {
  test('T76: by customers and staff: signed in is enough, and staff is not more', async () => {
    const answers = []
    for (const who of ['customer', 'support', 'administrator'] as const) {
      const headers = name === 'POST /api/auth/logout' ? {} : someone(who).headers
      const { status, json } = await site.ask(name, { headers })
      if (rowOf(name).may !== 'who holds a refresh token')
        expect([who, status, errorOf(json), isAnswered({ status, json })]).toEqual([who, status, errorOf(json), true])
      answers.push(status)
    }
    expect(new Set(answers).size).toBe(1)
  })
})

describe('what is of another', () => {
  const ofTheSite = SIGNED_IN_ROUTES.filter((name) => rowOf(name).whose === 'site')
  const bodyOf = (name: ApiRouteName) =>
    name.startsWith('PATCH') ? { name: 'taken over' } : name.endsWith('/remove') ? { password: PASSWORD } : {}

  test.each(ofTheSite)('%s answers as if it did not exist, to anybody else, and changes nothing', async (name) => {
    const { db, ids } = site.identity
    const victim = someone('victim')
    const passkeyId = ids.next()
    await db.query(
      `insert into identity.passkeys
         (id, user_id, credential_id, public_key, counter, transports, name, is_backed_up, created_at)
       values ($1, $2, $3, $4, 0, '', 'key of the victim', false, now())`,
      [passkeyId, victim.userId, passkeyId, Buffer.from('key')],
    )
    await db.query(
      `insert into identity.ssh_keys (id, user_id, name, algorithm, public_key, fingerprint, created_at)
       values ($1, $2, 'key of the victim', 'ssh-ed25519', $3, '', now())`,
      [passkeyId, victim.userId, passkeyId],
    )
    await db.query(
      `insert into identity.app_passwords (id, user_id, name, hash, created_at)
       values ($1, $2, 'program of the victim', $3, now())`,
      [passkeyId, victim.userId, Buffer.from(passkeyId)],
    )
    const state = async () => [
      await db.query('select * from identity.ssh_keys order by id'),
      await db.query('select * from identity.app_passwords order by id'),
      await db.query('select * from identity.passkeys order by id'),
      await db.query('select id, ended_at from identity.sessions where user_id = $1 order by id', [victim.userId]),
    ]
    const before = await state()
    // One id stands for each kind of thing.
    const id = name.includes('/sessions/') ? victim.sessionId : passkeyId
    for (const who of ['customer', 'support', 'administrator'] as const) {
      const foreign = await site.ask(name, { headers: someone(who).headers, id, body: bodyOf(name) })
      const nobodys = await site.ask(name, { headers: someone(who).headers, body: bodyOf(name) })
      expect([foreign.status, errorOf(foreign.json)]).toEqual([404, 'NOT_FOUND'])
      expect([nobodys.status, errorOf(nobodys.json)]).toEqual([404, 'NOT_FOUND'])
    }
    expect(await state()).toEqual(before)
  })
})
