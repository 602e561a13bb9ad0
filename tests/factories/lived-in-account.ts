import { identifierFrom } from '#domain/kernel/identifier.ts'
import { forints } from '#domain/billing/money.ts'
import { openLedger } from '../../control-plane/money/ledger/ledger.ts'
import { topUpSettled } from '../../control-plane/money/ledger/postings.ts'
import { postgresLedgerStore } from '../../control-plane/money/ledger/postgres-ledger-store.ts'
import { systemIds } from '#platform/ids.ts'
import type { Database } from '#platform/postgres/database.ts'
import { namedReceipt } from './invoices.ts'
import type { TestIdentity } from '../support/identity-context.ts'

type Who = { readonly userId: string; readonly email: string; readonly canary: string }

const hash = () => Buffer.from(systemIds.bytes(32))

/**
 * Writes a row of every kind of data that the site stores about a person, with their canary in each text. `secret-…`
 * must never be sent.
 */
export const liveOnSite = async ({ context }: TestIdentity, { userId, canary }: Who): Promise<void> => {
  const { db, ids } = context
  const now = new Date(context.clock.now())
  const later = new Date(context.clock.now() + 3_600_000)
  const secret = `secret-${canary}`
  const add = (table: string, row: Record<string, unknown>) => {
    const columns = Object.keys(row)
    const places = columns.map((_column, at) => `$${at + 1}`).join(', ')
    return db.query(`insert into ${table} (${columns.join(', ')}) values (${places})`, Object.values(row))
  }
  await db.query(
    `update public.users set contact_first_name = $2, contact_last_name = $2, contact_city = $2, contact_postal_code = $2,
       contact_street_and_house_number = $2, contact_phone_number = $2, invoice_type = 'receipt', time_zone = $2,
       billing_country = 'HU', billing_company = $2, billing_tax_number = $2
     where id = $1`,
    [userId, canary],
  )
  const role = ids.next()
  await add('public.roles', { id: role, name: `role ${role}`, slug: role, active: true })
  await add('public.users_rels', { parent_id: userId, path: 'role', roles_id: role, order: 1 }).catch(async () => {
    await db.query(`insert into public.users_rels (parent_id, path, roles_id) values ($1, 'role', $2)`, [userId, role])
  })
  await add('identity.known_devices', { hash: hash(), user_id: userId, first_seen_at: now, last_seen_at: now })
  await add('identity.totp', { user_id: userId, sealed_secret: secret, created_at: now })
  await add('identity.recovery_codes', { user_id: userId, hash: hash(), created_at: now })
  await add('identity.passkeys', {
    id: ids.next(),
    user_id: userId,
    credential_id: `${secret}-id`,
    public_key: Buffer.from(secret),
    counter: 0,
    transports: 'usb',
    name: canary,
    is_backed_up: false,
    created_at: now,
  })
  await add('identity.ssh_keys', {
    id: ids.next(),
    user_id: userId,
    name: canary,
    algorithm: 'ssh-ed25519',
    public_key: `key of ${canary}`,
    fingerprint: 'SHA256:x',
    created_at: now,
  })
  await add('identity.app_passwords', { id: ids.next(), user_id: userId, name: canary, hash: hash(), created_at: now })
  await add('identity.challenges', {
    hash: hash(),
    browser: hash(),
    purpose: 'new passkey',
    user_id: userId,
    webauthn: secret,
    created_at: now,
    expires_at: later,
  })
  await add('identity.reset_tokens', {
    user_id: userId,
    hash: hash(),
    email: `${canary}@reset.test`,
    created_at: now,
    expires_at: later,
  })
  await add('identity.email_changes', {
    id: ids.next(),
    user_id: userId,
    old_email: `${canary}@old.test`,
    new_email: `${canary}@new.test`,
    confirm_hash: hash(),
    undo_hash: hash(),
    created_at: now,
    confirm_until: later,
    undo_until: later,
  })
  await add('identity.profile_pictures', {
    user_id: userId,
    id: Buffer.from(ids.bytes(24)).toString('base64url'),
    bytes: Buffer.from(canary),
    created_at: now,
  })
  await add('identity.dismissed_messages', {
    user_id: userId,
    message_id: ids.next(),
    revision: canary.slice(0, 32),
    dismissed_at: now,
  })
  await add('identity.discord_links', {
    user_id: userId,
    discord_id: String(Date.now()) + String(userId.length + canary.length),
    name: canary,
    linked_at: now,
  })
  await add('identity.discord_attempts', {
    hash: hash(),
    browser: hash(),
    user_id: userId,
    session_id: ids.next(),
    next_path: `/${canary}`,
    expires_at: later,
  })
  await db.query('update identity.activities set address = $2 where user_id = $1', [userId, canary])
  await db.query('update identity.consents set address = $2 where user_id = $1', [userId, canary])
  await db.query('update identity.sessions set address = $2, user_agent = $2 where user_id = $1', [userId, canary])
}

const SPEC = (id: string, canary: string) =>
  JSON.stringify({ id, generation: 1, name: canary, environment: { MOTD: canary }, allocations: [] })

/** A draw with its prize, bought and granted spins, a tier, and a coupon used by an order. */
const winOnControlPlane = async (
  db: Database,
  { userId, canary, orderId }: Who & { orderId: string },
  now: Date,
): Promise<void> => {
  const id = () => systemIds.next()
  const [spinId, seed] = [id(), hash().toString('hex')]
  const spun = [spinId, userId, canary, seed, now]
  await db.query(
    `insert into control.spins (id, user_id, source, type, amount, prize_id, prizes, ticket, server_seed, server_seed_hash,
       client_seed, nonce, created_at) values ($1, $2, 'weekly', 'coupon', 5, 'p', '[]', 0, $4, $4, $3, 1, $5)`,
    spun,
  )
  await db.query(
    `insert into control.prize_coupons (id, code, user_id, percent, spin_id, drawn_at) values ($1, $2, $3, 5, $4, $5)`,
    [id(), `WHEEL-${seed.slice(0, 12).toUpperCase()}`, userId, spinId, now],
  )
  await db.query(
    `insert into control.coupon_reservations (coupon_id, order_id, user_id, code, once, amount_ft, created_at)
     values ($1, $2, $3, 'CODE', true, 1, $4)`,
    [id(), orderId, userId, now],
  )
  await db.query(
    `insert into control.premium_purchases (id, user_id, tier, price_ft, spins, started_at, expires_at, request_id)
     values ($1, $2, 'essentials', 990, 1, $3, $4, 'r')`,
    [id(), userId, now, new Date(now.getTime() + 86_400_000)],
  )
  await db.query('insert into control.spin_accounts (user_id, granted) values ($1, 1)', [userId])
  await db.query('insert into control.spin_grants (key, user_id, spins, created_at) values ($1, $2, 1, $3)', [
    `grant-${canary}`,
    userId,
    now,
  ])
  await db.query(
    'insert into control.spin_purchases (id, user_id, count, price_ft, created_at) values ($1, $2, 1, 200, $3)',
    [id(), userId, now],
  )
  const secret = hash().toString('hex')
  await db.query(
    `insert into control.spin_seeds (user_id, server_seed, server_seed_hash, created_at) values ($1, $2, $2, $3)`,
    [userId, secret, now],
  )
}

/**
 * Writes a row of every kind of data that the control plane stores about a person: a stopped server, 5,000 Ft, an order
 * and a top-up.
 */
export const liveOnControlPlane = async (db: Database, { userId, email, canary }: Who, nowMs: number) => {
  const now = new Date(nowMs)
  const id = () => systemIds.next()
  const [nodeId, serverId, holdId, payment, orderId] = [id(), id(), id(), id(), id()]
  const origin = { id: id(), atMs: nowMs, actor: 'system', requestId: 'r' }
  const ledger = openLedger(postgresLedgerStore(db))
  const paid = { id: payment, provider: 'sandbox', providerPaymentId: payment, userId, amount: forints(5_990n) }
  await ledger.post(topUpSettled(origin, paid))
  const hold = { key: `order:${orderId}:hold`, userId, amount: forints(990n), expiresAtMs: nowMs + 60_000 }
  const ref = { type: 'order', id: orderId } as const
  await ledger.placeHold({ ...origin, ...hold, id: holdId, reason: 'Order of a test', ref })
  const credits = [
    {
      account: { kind: 'revenue', ownerId: '00000000-0000-0000-0000-000000000000', provider: '' } as const,
      amount: forints(990n),
    },
  ]
  const capture = {
    id: id(),
    holdId,
    kind: 'order',
    key: `order:${orderId}:capture`,
    amount: forints(990n),
    reason: 'Order of a test',
  }
  await ledger.capture({ ...origin, ...capture, ref, credits })
  await db.query(
    'insert into control.nodes (id, computer_id, public_key, name, created_at) values ($1, $2, $3, $4, $5)',
    [nodeId, id(), nodeId, 'node', now],
  )
  await db.query(
    `insert into control.servers (id, identifier, owner_id, node_id, service_id, template_id, name, description, desired, spec,
       service_name, cpu_percent, memory_mib, storage_mib, monthly_price_ft, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $5, $6, $6, 'installed', $7, '{}', 100, 1024, 2048, 990, $8, $9)`,
    [
      serverId,
      serverId.slice(0, 23),
      userId,
      nodeId,
      id(),
      canary,
      SPEC(serverId, canary),
      new Date(nowMs + 30 * 86_400_000),
      now,
    ],
  )
  await db.query(
    `insert into control.server_state (server_id, state, installed, since, updated_at) values ($1, 'offline', true, $2, $2)`,
    [serverId, now],
  )
  await db.query(
    `insert into control.orders (id, user_id, server_id, service_id, hold_id, state, months, monthly_ft, total_ft, net_ft, vat_ft,
       product, lines, locale, request_id, created_at, settled_at)
     values ($1, $2, $3, $4, $5, 'completed', 1, 990, 990, 780, 210, '{}', '[]', 'hu', 'r', $6, $6)`,
    [orderId, userId, serverId, id(), holdId, now],
  )
  await winOnControlPlane(db, { userId, email, canary, orderId }, now)
  await db.query(
    `insert into control.renewals (id, server_id, user_id, hold_id, automatic, period_start, period_end, months, monthly_ft,
       discount_ft, total_ft, net_ft, vat_ft, product, locale, request_id, created_at)
     values ($1, $2, $3, $4, true, $5, $5::timestamptz + interval '720 hours', 1, 990, 0, 990, 780, 210, '{}', 'hu', 'r', $5)`,
    [id(), serverId, userId, holdId, now],
  )
  await db.query(
    `insert into control.modifications (id, server_id, user_id, hold_id, from_monthly_ft, to_monthly_ft, days, charge_ft,
       back_money_ft, back_bonus_ft, from_limits, to_limits, locale, request_id, created_at)
     values ($1, $2, $3, $4, 990, 1990, 3, 100, 0, 0, '{}', '{}', 'hu', 'r', $5)`,
    [id(), serverId, userId, holdId, now],
  )
  await db.query(
    `insert into control.withdrawals (id, user_id, kind, document_id, server_id, begun_at, request_id)
     values ($1, $2, 'order', $3, $4, $5, 'r')`,
    [id(), userId, id(), serverId, now],
  )
  await db.query(
    `insert into control.server_refunds values ($1, $2, $3, $4, 100, 0, 'The node was down.', false, 'r', $5)`,
    [id(), serverId, userId, id(), now],
  )
  await db.query('insert into control.test_servers values ($1, $2, $3, $4, $4)', [userId, serverId, id(), now])
  await db.query(
    `insert into control.payments (id, user_id, provider, provider_payment_id, amount_ft, state, return_url, terms_accepted_at,
       address, locale, request_id, next_check_at, created_at, updated_at)
     values ($1, $2, 'sandbox', $3, 5990, 'settled', 'https://x.test', $4, $5, 'hu', 'r', $4, $4, $4)`,
    [payment, userId, payment, now, canary],
  )
  await db.query(
    `insert into control.wallet_transactions (id, user_id, type, payment_type, amount_ft, status, reason, document_kind,
       document_id, created_at, updated_at) values ($1, $2, 'top-up', 'sandbox', 5990, 'finished', 'Top-up', 'payment', $3, $4, $4)`,
    [id(), userId, payment, now],
  )
  await liveThroughPayments(db, { userId, payment, now })
  const layouts = [
    ['server_layouts', { groups: [], loose: [], dense: true }],
    ['summary_layouts', { order: ['guides', 'servers'], hidden: ['news'] }],
  ] as const
  for (const [table, layout] of layouts)
    await db.query(`insert into control.${table} values ($1, $2, $3)`, [userId, JSON.stringify(layout), now])
  await db.query('insert into control.votes values ($1, $2, $3, $4)', [systemIds.next(), userId, canary, now])
  await db.query('insert into control.server_visits values ($1, $2, $3)', [userId, serverId, now])
  await db.query(
    `insert into control.log_shares (id, token_hash, server_id, made_by, text, lines, created_at, ends_at)
     values ($1, sha256($2::bytea), $3, $4, 'Done', 1, $5, $5)`,
    [systemIds.next(), systemIds.next(), serverId, userId, now],
  )
  const ticketId = systemIds.next()
  await db.query(
    `insert into control.tickets (id, identifier, title, category_id, status, opener_id, created_at, moved_at)
     values ($1, $5, $2, $1, 'open', $3, $4, $4)`,
    [ticketId, canary, userId, now, identifierFrom(systemIds.bytes(32))],
  )
  await db.query(
    `insert into control.ticket_messages (id, ticket_id, author_id, by_staff, kind, text, created_at)
     values ($1, $2, $3, false, 'message', $4, $5)`,
    [systemIds.next(), ticketId, userId, canary, now],
  )
  await db.query(
    `insert into control.ticket_attachments (id, author_id, name, kind, media_type, bytes, created_at)
     values ($1, $2, $3, 'text', 'text/plain', 'x', $4)`,
    [systemIds.next(), userId, canary, now],
  )
  await db.query(`insert into control.seen_contexts values ($1, $2, $3, '{}', $4)`, [userId, serverId, canary, now])
  await db.query('insert into control.ticket_people values ($1, $2, $3)', [ticketId, userId, now])
  await db.query('insert into control.ticket_mails values ($1, $2, $3, 1, $4)', [
    ticketId,
    userId,
    now,
    `<${canary}@x.test>`,
  ])
  await db.query('insert into control.ticket_reads values ($1, $2, 1)', [ticketId, userId])
  await db.query(`insert into control.notification_settings values ($1, 'server.expired', true, true, $2)`, [
    userId,
    now,
  ])
  await db.query(
    `insert into control.push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth, created_at, seen_at)
     values ($1, $2, $1, $3, 'secret-key', 'secret-auth', $4, $4)`,
    [id(), userId, `https://push.test/secret-${canary}`, now],
  )
  await db.query('insert into control.server_users values ($1, $2, $3, $4)', [serverId, userId, ['start'], now])
  for (const [invited, by] of [
    [userId, id()],
    [id(), userId],
  ]) {
    await db.query('insert into control.server_invitations values ($1, $2, $3, null, $4, $5, $5)', [
      serverId,
      invited,
      ['start'],
      by,
      now,
    ])
  }
  await db.query('insert into control.invitation_tries values ($1, $2, $2, $3)', [id(), userId, now])
  await db.query('insert into control.revoked_shares values ($1, $2, $3)', [serverId, userId, now])
  await db.query(
    `insert into control.notifications (id, user_id, text, data, created_at) values ($1, $2, 'server.installed', $3, $4)`,
    [id(), userId, JSON.stringify({ name: canary }), now],
  )
  await db.query(
    `insert into control.activities (id, user_id, ip_address, type, status, detail, created_at)
     values ($1, $2, $3, 'server:console.command', 'success', $4, $5)`,
    [id(), userId, canary, JSON.stringify({ command: canary }), now],
  )
  await db.query(
    `insert into control.commands (id, node_id, server_id, generation, kind, body, request_id, requested_by, state, created_at)
     values ($1, $2, $3, 1, 'power', '{}', 'r', $4, 'finished', $5)`,
    [id(), nodeId, serverId, userId, now],
  )
  await db.query(
    `insert into control.idempotency_keys (scope, key, user_id, request_hash, answer, locked_until, created_at)
     values ('order', 'key', $1, $2, $3, $4, $4)`,
    [userId, hash(), JSON.stringify({ name: canary }), now],
  )
  await db.query('insert into control.ended_sessions values ($1, $2, null, $3)', [id(), userId, now])
  await db.query(
    `insert into control.mails (id, kind, language, recipient, state, next_try_at, expires_at, request_id, created_at, finished_at)
     values ($1, 'verify', 'hu', $2, 'sent', $3, $3, 'r', $3, $3)`,
    [id(), email, now],
  )
  await namedReceipt(db, { userId, name: canary }, nowMs)
  await db.query(`insert into control.invoices_waiting values ('renewal', $1, $2, '{}', $3)`, [id(), userId, now])
  await db.query(
    `insert into control.vat_checks (user_id, profile, number, next_try_at, updated_at) values ($1, 'DE 136695976', 'DE136695976', $2, $2)`,
    [userId, now],
  )
  return { serverId }
}

/** The possible changes of a payment: a refund, a charge-back, an unmatched payment, a phone offer. */
async function liveThroughPayments(
  db: Database,
  { userId, payment, now }: { userId: string; payment: string; now: Date },
) {
  const values = [systemIds.next(), payment, userId, now]
  await db.query(
    `insert into control.refunds (id, payment_id, user_id, provider, amount_ft, reason, requested_by, next_check_at, request_id,
       created_at, updated_at, state) values ($1, $2, $3, 'sandbox', 10, 'a test', $1, $4, 'r', $4, $4, 'succeeded')`,
    values,
  )
  await db.query(
    `insert into control.chargebacks (payment_id, user_id, amount_ft, from_wallet_ft, debt_ft, created_at, updated_at)
     values ($1, $2, 10, 10, 0, $3, $3)`,
    values.slice(1),
  )
  await db.query(
    `insert into control.unmatched_payments (id, provider, provider_payment_id, kind, problem, amount_minor, currency, exponent,
       payment_id, user_id, created_at) values ($1::uuid, 'sandbox', ($1::uuid)::text, 'settlement', 'SECOND_SETTLEMENT', 10, 'HUF', 0, $2, $3, $4)`,
    values,
  )
  await db.query(
    `insert into control.money_proposals (id, act, user_id, direction, bucket, amount_ft, reason, proposed_by, request_id, created_at,
       expires_at) values ($1, 'credit', $2, 'credit', 'money', 10, 'a test of proposals', $1, 'r', $3, $3::timestamptz + interval '7 days')`,
    [systemIds.next(), userId, now],
  )
  await db.query(
    `insert into control.manual_credits (id, user_id, direction, bucket, balance_ft, debt_ft, reason, made_by, created_at)
     values ($1, $2, 'credit', 'money', 10, 0, 'a test of credits', $1, $3)`,
    [systemIds.next(), userId, now],
  )
  await db.query(
    `insert into control.phone_payments (code, payment_id, kind, number, paid_ft, credited_ft, expires_at, created_at)
     values (left(md5(($1::uuid)::text), 8), $1::uuid, 'premium-sms', '06-90-888-333', 1905, 800, $2, $2)`,
    [payment, now],
  )
}
