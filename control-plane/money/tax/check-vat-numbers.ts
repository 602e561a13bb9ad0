import { HOME_COUNTRY } from '#domain/billing/country.ts'
import { readVatNumber, vatNumberOf } from '#domain/billing/tax-rule.ts'
import { nextCheckMs, retryCheckMs } from '#domain/billing/vat-check.ts'
import type { Context } from '../../platform/context.ts'
import type { Sql } from '#platform/postgres/database.ts'
import { readInvoicing } from '../../cms/cms-reader.ts'
import { VatOfficeSilent, type VatOffice } from './vat-office.ts'

/**
 * The office limits its request rate, and the run must end before the next one: this many numbers, one after the other.
 */
const BATCH = 10
/** Profiles handled in one run. */
const CHANGED = 500
/** Longer than any run takes, so that two processes never check the same number. */
const LEASE_MS = 10 * 60_000

type Deps = Pick<Context, 'db' | 'clock' | 'log'> & { readonly vatOffice: VatOffice }

/** Checks the VAT numbers of changed profiles, and rechecks those that are due. Returns the number of checks. */
export async function checkVatNumbers(deps: Deps): Promise<number> {
  await noteChangedProfiles(deps.db, deps.clock.now())
  const due = await claimDue(deps.db, deps.clock.now())
  if (due.length === 0) return 0
  const asker = readVatNumber((await readInvoicing(deps.db)).seller_eu_tax_number)?.number
  for (const one of due) await checkOne(deps, { ...one, asker })
  return due.length
}

type Profile = { id: string; country: string; tax_number: string }

/**
 * A changed profile voids the result of the old one. Another process may have recorded the change since it was read
 * here: then its claim and result stay.
 */
async function noteChangedProfiles(sql: Sql, nowMs: number): Promise<void> {
  const changed = await sql.query<Profile>(
    `select c.id, c.country, c.tax_number from cms_api.invoice_contacts c
     where c.tax_number <> '' and c.country <> $1 and not exists (select from control.vat_checks v
       where v.user_id = c.id and v.profile = c.country || ' ' || c.tax_number)
     limit ${CHANGED}`,
    [HOME_COUNTRY],
  )
  for (const { id, country, tax_number: taxNumber } of changed) {
    const number = vatNumberOf({ country, taxNumber }) ?? null
    await sql.query(
      `insert into control.vat_checks (user_id, profile, number, next_try_at, updated_at)
       values ($1, $2, $3, case when $3::text is null then null else $4::timestamptz end, $4)
       on conflict (user_id) do update set profile = excluded.profile, number = excluded.number, is_valid = null,
         checked_at = null, consultation_number = null, tries = 0, failure = null, next_try_at = excluded.next_try_at,
         updated_at = excluded.updated_at where vat_checks.profile <> excluded.profile`,
      [id, `${country} ${taxNumber}`, number, new Date(nowMs)],
    )
  }
}

type Due = { readonly user_id: string; readonly number: string; readonly tries: number }

/** Claims due numbers for this process. Numbers no longer in the profile are deleted instead. */
async function claimDue(sql: Sql, nowMs: number): Promise<Due[]> {
  const now = new Date(nowMs)
  await sql.query(
    `delete from control.vat_checks v where v.next_try_at <= $1 and not exists (select from cms_api.invoice_contacts c
       where c.id = v.user_id and c.country || ' ' || c.tax_number = v.profile)`,
    [now],
  )
  return sql.query<Due>(
    `update control.vat_checks set next_try_at = $2 where user_id in (
       select user_id from control.vat_checks where next_try_at <= $1 order by next_try_at limit ${BATCH} for update skip locked)
     returning user_id, number, tries`,
    [now, new Date(nowMs + LEASE_MS)],
  )
}

async function checkOne(
  { db, clock, log, vatOffice }: Deps,
  { user_id: userId, number, tries, asker }: Due & { asker: string | undefined },
): Promise<void> {
  try {
    const { isValid, consultationNumber } = await vatOffice.check({ number, asker })
    const nowMs = clock.now()
    await db.query(
      `update control.vat_checks set is_valid = $3, checked_at = $4, consultation_number = $5, tries = 0, failure = null,
         next_try_at = $6, updated_at = $4 where user_id = $1 and number = $2`,
      [userId, number, isValid, new Date(nowMs), consultationNumber, new Date(nextCheckMs(isValid, nowMs))],
    )
    log.info({ userId, isValid }, 'a VAT number was checked')
  } catch (error) {
    if (!(error instanceof VatOfficeSilent)) throw error
    const nowMs = clock.now()
    await db.query(
      `update control.vat_checks set tries = tries + 1, failure = $3, next_try_at = $4, updated_at = $5
       where user_id = $1 and number = $2`,
      [userId, number, error.code, new Date(retryCheckMs(tries + 1, nowMs)), new Date(nowMs)],
    )
    log.warn({ userId, failure: error.code }, 'the tax office did not answer; the customer counts as a consumer')
  }
}
