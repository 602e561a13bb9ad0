import { forints } from '#domain/billing/money.ts'
import type { Caller } from '#contracts/internal-api/calls.ts'
import { openLedger } from '../../control-plane/money/ledger/ledger.ts'
import { topUpSettled } from '../../control-plane/money/ledger/postings.ts'
import { postgresLedgerStore } from '../../control-plane/money/ledger/postgres-ledger-store.ts'
import type { MoneyContext } from '../../control-plane/money/ledger/money-context.ts'
import type { FaultPoint } from '#platform/fault-point.ts'
import { systemIds } from '#platform/ids.ts'
import type { Logger } from '#platform/logger.ts'
import type { Database, Sql } from '#platform/postgres/database.ts'
import { CMS_API_SALES, INVOICING_STAND_IN } from './cms-api-stand-in.ts'
import { controlDatabase, type ControlDatabase } from './control-database.ts'

/** Stand-ins for the CMS's views: tables with the same columns, filled by the test. */
const CMS_API = `
  create schema cms_api;
  create table cms_api.settings (host_name text, ordering boolean, tickets boolean, server_start boolean, coupon_use boolean,
    registration boolean, smtp_host text, smtp_port int, smtp_username text, smtp_password_sealed text, smtp_from text, smtp_name text);
  insert into cms_api.settings (host_name, ordering, tickets, server_start, coupon_use, registration)
    values ('Bakter', true, true, true, true, true);
  create table cms_api.people (id uuid, username text, identifier text, email text, verified boolean, language text,
    invoice_type text, is_admin boolean, is_support boolean);
  create table cms_api.invoice_contacts (id uuid, invoice_type text, first_name text, last_name text,
    street_and_house_number text, postal_code text, city text, country text, company text, tax_number text);
  ${INVOICING_STAND_IN}
  create view cms_api.shown_addresses as select id, email from cms_api.people;
  create table cms_api.services (id uuid, slug text, name jsonb, description jsonb, category text, server_template_id uuid,
    machine_ids uuid[], banner text, icon text, orderable boolean, highlighted boolean, position int, points_count int,
    minimum_point int, price_per_point_ft int, resources jsonb, operating_systems jsonb, starting_price_ft int);
  create view cms_api.service_pictures as select id, banner, icon from cms_api.services;
  create table cms_api.packages (id uuid, service_id uuid, name jsonb, description jsonb, price_per_month_ft int, cpu_percent int,
    memory_mib int, storage_mib int, orderable boolean, highlighted boolean);
  create table cms_api.known_errors (id uuid, title jsonb, explanation jsonb, pattern text, actions text[],
    template_ids uuid[]);
  create table cms_api.templates (id uuid, slug text, name text, description jsonb, runtimes text[], needs_internet boolean,
    docker_images jsonb, startup_argv text[], done_texts text[], stop_command text, installation jsonb,
    installation_image text, installation_script text, required_ports int, variables jsonb, query_type text, query_port int);
  create table cms_api.template_files (id uuid primary key, described_files jsonb not null default '[]');
  create table cms_api.computers (id uuid, name text, ip text, url text, proxmox_url text, available_memory_mib int,
    storage_mib int, cores int, start_port int, port_count int, orderable boolean);
  create view cms_api.template_guides as
    select id, null::text as version, null::int as base_memory_mib, null::int as player_memory_mib from cms_api.templates;
  create view cms_api.computer_places as select id, null::text as city, null::text as country from cms_api.computers;
  ${CMS_API_SALES}
  do $$ begin
    create role bakter_app nologin;
  exception when duplicate_object or unique_violation then null; end $$;
  grant usage on schema cms_api to bakter_app;
  grant select on all tables in schema cms_api to bakter_app;`

export const shopDatabase = (maxConnections = 20): Promise<ControlDatabase> =>
  controlDatabase({ before: CMS_API, maxConnections })

const SILENT: Logger = { info() {}, warn() {}, error() {}, debug() {}, child: () => SILENT }

/** The external dependencies of an order in a test. */
export function orderContext(
  db: Database,
  { now = () => Date.UTC(2026, 5, 1), faults = async () => {} }: { now?: () => number; faults?: FaultPoint } = {},
): MoneyContext {
  const ledgerOn = (sql: Sql) => openLedger(postgresLedgerStore(sql))
  return { db, clock: { now }, ids: systemIds, faults, log: SILENT, ledgerOn }
}

export const callerOf = (userId: string): Caller => ({
  userId,
  sessionId: null,
  locale: 'hu',
  address: '127.0.0.1',
  isAdmin: false,
  isSupport: false,
  isVerified: true,
})

const text = (en: string) => JSON.stringify({ en, hu: en, de: en })

export type Shop = {
  readonly serviceId: string
  readonly packageId: string
  readonly templateId: string
  readonly computerId: string
  readonly nodeId: string
}

export type ShopOptions = { priceFt?: number; ports?: number; portCount?: number; memoryMiB?: number; nowMs?: number }

/** A service with one package, its template, and one connected node to put it on. */
export async function openShop(owner: Sql, options: ShopOptions = {}): Promise<Shop> {
  const { priceFt = 990, ports = 1, portCount = 100, memoryMiB = 100_000, nowMs = Date.UTC(2026, 5, 1) } = options
  const ids = Array.from({ length: 5 }, () => systemIds.next())
  const [serviceId = '', packageId = '', templateId = '', computerId = '', nodeId = ''] = ids
  await owner.query(
    `insert into cms_api.templates values ($1, 'demo', 'Demo', $2, '{process}', false, '[]', '{node,server.mjs}', '{ready}',
       'stop', '[{"argv":["node","install.mjs"],"timeoutMs":null}]', null, null, $3,
       '[{"name":{"en":"Level","hu":"Szint","de":"Stufe"},"default":"1","environmentVariable":"LEVEL","editable":true}]')`,
    [templateId, text('Demo'), ports],
  )
  await owner.query(
    `insert into cms_api.services values ($1, 'minecraft', $2, $2, 'gameServer', $3, '{}', null, null, true, false, 1, null, null,
       null, null, '[]', $4)`,
    [serviceId, text('Minecraft'), templateId, priceFt],
  )
  await owner.query(`insert into cms_api.packages values ($1, $2, $3, $3, $4, 100, 1024, 2048, true, false)`, [
    packageId,
    serviceId,
    text('Small'),
    priceFt,
  ])
  await owner.query(
    `insert into cms_api.computers values ($1, 'here', '127.0.0.1', 'http://127.0.0.1:8080', null, $2, 1000000, 4, 25565, $3, true)`,
    [computerId, memoryMiB, portCount],
  )
  const at = new Date(nowMs)
  await owner.query(
    `insert into control.nodes (id, computer_id, public_key, name, created_at) values ($1, $2, $3, 'here', $4)`,
    [nodeId, computerId, nodeId, at],
  )
  await owner.query(
    `insert into control.agent_sessions (node_id, session_id, holder, connected_at, renewed_at) values ($1, $2, 'test', $3, $3)`,
    [nodeId, systemIds.next(), at],
  )
  return { serviceId, packageId, templateId, computerId, nodeId }
}

/** A new user with money in the wallet. */
export async function userWith(db: Database, amountFt: bigint): Promise<string> {
  const userId = systemIds.next()
  if (amountFt > 0n) await credit(db, { userId, amountFt })
  return userId
}

/** Adds money to a user's wallet. */
export async function credit(db: Database, { userId, amountFt }: { userId: string; amountFt: bigint }): Promise<void> {
  const payment = systemIds.next()
  const origin = { id: systemIds.next(), atMs: Date.UTC(2026, 4, 1), actor: 'system', requestId: 'test' }
  const amount = forints(amountFt)
  await openLedger(postgresLedgerStore(db)).post(
    topUpSettled(origin, { id: payment, provider: 'sandbox', providerPaymentId: payment, userId, amount }),
  )
}

/** A user's balance in forints. */
export async function balanceOf(db: Database, userId: string) {
  const { money, held, available } = await openLedger(postgresLedgerStore(db)).userBalance(userId, 'HUF')
  return { money: money.minor, held: held.minor, available: available.minor }
}
