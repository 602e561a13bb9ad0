import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSecret, parseSecretKeys } from '#platform/sealed-secret.ts'
import { findServer } from '../../../control-plane/servers/store/read-servers.ts'
import { readDebtFt } from '../../../control-plane/money/wallet/debt.ts'
import { explainLine } from '../../../control-plane/money/wallet/explain-line.ts'
import { auditLedger } from '../../../control-plane/money/ledger/audit-ledger.ts'
import { openLedger } from '../../../control-plane/money/ledger/ledger.ts'
import { postgresLedgerStore } from '../../../control-plane/money/ledger/postgres-ledger-store.ts'
import { loadConsoleKey } from '../../../control-plane/servers/access/console-keys.ts'
import { createMetrics } from '../../../control-plane/platform/metrics.ts'
import { openPostgres, type Database } from '#platform/postgres/database.ts'
import { refundServer } from '../../../control-plane/money/withdrawal/refund-server.ts'
import { quoteRenewal } from '../../../control-plane/money/renewals/quote-renewal.ts'
import { renewServer } from '../../../control-plane/money/renewals/renew-server.ts'
import { listWithdrawals } from '../../../control-plane/money/withdrawal/list-withdrawals.ts'
import { authenticate } from '../../../src/identity/sessions/authenticate.ts'
import type { IdentityContext } from '../../../src/identity/context/context.ts'
import { openIdentityDatabase } from '../../../src/identity/context/database.ts'
import { memoryLimitStore } from '../../../src/identity/context/limit-store.ts'
import { login } from '../../../src/identity/sign-in/login.ts'
import { masterKeys } from '../../../src/identity/keys/master-keys.ts'
import { createPasswordHasher } from '../../../src/identity/context/password-hasher.ts'
import { noPlaces } from '../../../src/identity/context/places.ts'
import { readGrants } from '../../../src/identity/people/people.ts'
import { createSealer } from '../../../src/identity/context/sealing.ts'
import { refreshSession } from '../../../src/identity/sessions/sessions.ts'
import { createSigningKeys } from '../../../src/identity/context/signing-keys.ts'
import { renewCommand } from '../../factories/paid-server.ts'
import { balanceOf, callerOf, orderContext } from '../../factories/shop.ts'
import { testContext } from '../../factories/platform-database.ts'
import { ManualClock } from '../../setup/manual-clock.ts'
import { migrateToPresent, migrationsIn, oldDumps, restoreDump } from '../../support/old-dumps.ts'
import { somewhere } from '../../support/people.ts'

/** The site's identity part as it starts on a database that an older version has used, a minute after that one ended. */
const identityOn = (url: string, { facts }: Pick<Awaited<ReturnType<typeof restoreDump>>, 'facts'>) => {
  const clock = new ManualClock(facts.madeAt)
  clock.advance(60_000)
  const db = openIdentityDatabase(url, { maxConnections: 4 })
  const ids = { next: () => v7(), bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) }
  const { payloadSecret: sealSecret, secretsKey } = facts.secrets
  const parts = { db, clock, ids }
  const sealer = createSealer({ ...parts, masters: masterKeys({ secretsKey, sealSecret }) })
  const keys = createSigningKeys({ ...parts, sealer, olderSecret: sealSecret })
  return {
    ...parts,
    sealer,
    keys,
    sealSecret,
    hasher: createPasswordHasher(),
    places: noPlaces,
    limits: memoryLimitStore(clock),
  } satisfies IdentityContext
}

it('there is a dump of each finished part of the product', () => {
  expect(oldDumps()).toEqual(['house', 'money', 'panel', 'rented-servers'])
})

describe.each(oldDumps())('the state %s migrates to the present', (name) => {
  let old: Awaited<ReturnType<typeof restoreDump>>
  let before: string[]
  let applied: string[]
  let site: ReturnType<typeof identityOn>
  let controlPlane: Database
  let owner: pg.Client
  const customerId = async () =>
    (await owner.query<{ id: string }>('SELECT id FROM users WHERE username = $1', [old.facts.customer.username]))
      .rows[0]?.id ?? ''

  beforeAll(async () => {
    old = await restoreDump(name)
    owner = new pg.Client({ connectionString: old.url })
    await owner.connect()
    // The demo's own accounts were made confirmed; who registered before there were codes was not.
    const { rows } = await owner.query('SELECT username FROM users WHERE NOT verified')
    if (name === 'rented-servers') expect(rows).toEqual([{ username: old.facts.customer.username }])
    before = await migrationsIn(owner)
    applied = await migrateToPresent(old.url)
    site = identityOn(old.url, old)
    controlPlane = openPostgres({ url: old.url, applicationName: 'test', maxConnections: 4, role: 'bakter_app' })
  })
  afterAll(async () => {
    await Promise.all([site.db.close(), controlPlane.close(), owner.end()])
    await old.drop()
  })

  it('every migration since then is applied once', async () => {
    const newest = (schema: string, folder: string) => {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((path) => basename(path))
        .filter((file) => /^\d+_.*\.(sql|ts)$/.test(file))
      return `${schema}/${names.sort().at(-1)?.replace(/\.ts$/, '')}`
    }
    for (const last of [
      newest('public', 'src/cms/migrations'),
      newest('identity', 'src/identity/migrations'),
      newest('control', 'control-plane/platform/migrations'),
    ])
      expect([...before, ...applied]).toContain(last)
    expect(applied.filter((each) => before.includes(each))).toEqual([])
    expect(await migrateToPresent(old.url)).toEqual([])
  })

  it('everybody is verified, and signs in with the old password', async () => {
    const { rows } = await owner.query('SELECT username FROM users WHERE NOT verified')
    expect(rows).toEqual([])
    for (const who of ['customer', 'admin', 'support'] as const) {
      const { username, password } = old.facts[who]
      const attempt = { name: username, password, device: null }
      expect(await login(site, attempt, somewhere())).toMatchObject({ ok: true })
      const wrong = { ...attempt, password: `${password}x` }
      expect(await login(site, wrong, somewhere())).toMatchObject({ ok: false })
    }
    const [admin] = (await owner.query<{ id: string }>(`SELECT id FROM users WHERE username = 'admin'`)).rows
    expect(await readGrants(site.db, admin?.id ?? '')).toMatchObject({ isAdmin: true })
  })

  it('signed-in people stay signed in, and tokens of that key are valid', async () => {
    const { access, refresh } = old.facts.customer
    const headers = new Headers({ authorization: `Bearer ${access}` })
    expect(await authenticate(site, headers, false)).toMatchObject({
      ok: true,
      subject: { userId: await customerId() },
    })
    expect(await refreshSession(site, refresh)).toMatchObject({ ok: true })
  })

  it('balances are unchanged, and the chain of the ledger is valid', async () => {
    expect(await auditLedger(testContext(controlPlane), createMetrics())).toBe(0)
    const { balance } = old.facts.customer
    const held = await openLedger(postgresLedgerStore(controlPlane)).userBalance(await customerId(), 'HUF')
    expect([held.available.minor, held.held.minor].map(Number)).toEqual([balance.balanceFt, balance.heldFt])
  })

  it('paid, owed, unmatched, sold and invoiced amounts are unchanged', async () => {
    const { money } = old.facts
    if (!money) return
    const ids = await owner.query<{ id: string }>('SELECT id FROM users WHERE username = $1', [money.debtor.username])
    const ledger = openLedger(postgresLedgerStore(controlPlane))
    expect(Number(await readDebtFt(ledger, ids.rows[0]?.id ?? ''))).toBe(money.debtor.debtFt)
    const [counts] = await controlPlane.query<Record<string, number | string>>(
      `select (select count(*)::int from control.invoices) as invoices, (select max(sequence)::int from control.invoices) as newest,
         (select count(*)::int from control.unmatched_payments where state = 'open') as unmatched,
         (select count(*)::int from control.ledger_transactions) as postings,
         (select count(distinct provider)::int from control.payments where state = 'settled') as providers,
         (select tier from control.premium_purchases where user_id = $1) as tier,
         (select count(*)::int from control.renewals) as renewals, (select count(*)::int from control.coupon_reservations) as coupons,
         (select count(*)::int from control.spins) as spins, (select count(*)::int from control.ledger_violations) as broken`,
      [await customerId()],
    )
    const { invoices, unmatched, postings, tier } = money
    expect(counts).toEqual({
      invoices,
      newest: invoices,
      unmatched,
      postings,
      tier,
      providers: 5,
      renewals: 1,
      coupons: 1,
      spins: 4,
      broken: 0,
    })
  })

  it('every old movement is explained by its full amount', async () => {
    const userId = await customerId()
    const lines = await controlPlane.query<{ id: string; type: string; amount_ft: bigint }>(
      'select id, type, amount_ft from control.wallet_transactions where user_id = $1',
      [userId],
    )
    expect(lines.length).toBeGreaterThan(0)
    for (const { id: transactionId, type, amount_ft: amountFt } of lines) {
      const detail = await explainLine(controlPlane, { userId, locale: 'hu', transactionId })
      const sumFt = detail?.formula.reduce((sum, part) => sum + part.amountFt, 0)
      const isSaid = detail?.cause === 'correction' && detail.reason !== null
      expect([type, isSaid ? 'said' : sumFt]).toEqual([type, isSaid ? 'said' : Math.abs(Number(amountFt))])
    }
  })

  it('old sales are withdrawn from, renewed and refunded by the current rules', async () => {
    const madeMs = Date.parse(old.facts.madeAt) + 60_000
    const context = orderContext(controlPlane, { now: () => madeMs })
    const caller = callerOf(await customerId())
    const { serverId } = old.facts.customer
    const balance = async () => Number((await balanceOf(controlPlane, caller.userId)).available)
    const before = await balance()
    const offers = await listWithdrawals(context, caller)
    expect(offers.map(({ kind }) => kind)).toContain('order')
    const given = await refundServer(context, {
      staffId: v7(),
      serverId,
      amountFt: 1,
      reason: 'The customer asked for it.',
      endServer: false,
      requestId: 'r',
      idempotencyKey: v7(),
    })
    expect(given).toMatchObject({ ok: true })
    expect(await balance()).toBe(before + 1)
    const quoted = await quoteRenewal(context, { caller, serverId, months: 1 })
    if (!quoted.ok) throw new Error(quoted.code)
    const { totalFt, missingFt } = quoted.quote
    const wish = renewCommand({ userId: caller.userId, serverId }, { request: { expectedTotalFt: totalFt } })
    const renewed = await renewServer(context, wish)
    expect(renewed).toMatchObject(
      missingFt === 0 ? { ok: true, answer: { totalFt } } : { code: 'INSUFFICIENT_BALANCE' },
    )
    expect(await balance()).toBe(before + 1 - (missingFt === 0 ? totalFt : 0))
    expect(await auditLedger(testContext(controlPlane), createMetrics())).toBe(0)
  })

  it('the ordered server exists, for its owner alone', async () => {
    const { serverId } = old.facts.customer
    const deps = testContext(controlPlane)
    const seen = await findServer(deps, { caller: callerOf(await customerId()), serverId })
    expect(seen).toMatchObject({ id: serverId, name: 'A server from before', serviceName: expect.any(String) })
    expect(await findServer(deps, { caller: callerOf(v7()), serverId })).toBeUndefined()
  })

  it('secrets open with the old keys: the mail server, the console keys', async () => {
    const { secretsKey, controlPlaneSecret } = old.facts.secrets
    const { rows } = await owner.query<{ sealed: string }>('SELECT smtp_password AS sealed FROM settings')
    const keys = parseSecretKeys(secretsKey)
    const opened = openSecret(rows[0]?.sealed ?? '', { keys, place: 'settings.smtp_password' })
    expect(new TextDecoder().decode(opened)).toBe(old.facts.smtpPassword)
    const { rows: made } = await owner.query<{ kid: string }>('SELECT kid FROM control.signing_keys')
    expect(made).toEqual([{ kid: (await loadConsoleKey(testContext(controlPlane), controlPlaneSecret)).kid }])
  })
})
