import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

const coupons = `
  CREATE VIEW cms_api.coupons AS
  SELECT c.id, c.name, c.code, c.type::text AS type, c.amount::int AS amount, c.valid_from, c.valid_to,
    c.expiration AS expires_at, c.maximum_price_ft::int AS maximum_price_ft, c.maximum_usage::int AS maximum_usage,
    c.usage::text AS usage,
    ARRAY(SELECT r.services_id FROM public.coupons_rels r
      WHERE r.parent_id = c.id AND r.path = 'services' AND r.services_id IS NOT NULL ORDER BY r."order") AS service_ids,
    c.active
  FROM public.coupons c;
  CREATE VIEW cms_api.spin_coupons AS
  SELECT id, code, number_of_uses::int AS number_of_uses, spins::int AS spins, expiration AS expires_at, active
  FROM public.spin_coupons;
`

/** What counts before staff saved anything, as the columns' own defaults. */
const TIERS = {
  none: [3, 2, 0, 0, 0, 30],
  essentials: [7, 4, 1, 5, 990, 30],
  maximus: [10, 8, 2, 10, 1990, 30],
  ultimus: [15, 12, 4, 15, 3490, 30],
} as const
const COLUMNS = ['backup_slots', 'sub_users', 'free_spins', 'discount_percent', 'price_ft', 'days']

const tier = (name: keyof typeof TIERS, place: number): string => {
  const columns = COLUMNS.map((column, index) => {
    const stands = name !== 'none' || (column !== 'price_ft' && column !== 'days')
    const value = stands ? `coalesce(p.${name}_${column}, ${TIERS[name][index]})` : String(TIERS[name][index])
    return `(${value})::int AS ${column}`
  })
  return `SELECT '${name}'::text AS tier, ${place} AS position, ${columns.join(', ')}
    FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT * FROM public.premium ORDER BY created_at LIMIT 1) p ON true`
}

const premium = `
  CREATE VIEW cms_api.premium_tiers AS
  ${(['none', 'essentials', 'maximus', 'ultimus'] as const).map(tier).join(' UNION ALL ')};
`

const text = (locale: string): string => {
  const of = (each: string) => `max(l.legal_note) FILTER (WHERE l._locale = '${each}')`
  return `'${locale}', coalesce(${of(locale)}, ${of('hu')}, ${of('en')}, '')`
}

const wheel = `
  CREATE VIEW cms_api.prize_wheel AS
  SELECT coalesce((SELECT jsonb_agg(jsonb_build_object('id', z.id, 'type', z.type::text, 'amount', coalesce(z.amount, 0)::int,
        'weight', z.weight::int) ORDER BY z._order) FROM public.prize_wheel_prizes z WHERE z._parent_id = w.id),
      '[]'::jsonb) AS prizes,
    w.server_package_id, coalesce(w.buying, false) AS buying, coalesce(w.spin_price_ft, 200)::int AS spin_price_ft,
    ARRAY(SELECT t.text::text FROM public.prize_wheel_texts t
      WHERE t.parent_id = w.id AND t.path = 'blockedCountries' AND t.text IS NOT NULL ORDER BY t."order") AS blocked_countries,
    (SELECT jsonb_build_object(${['en', 'hu', 'de'].map(text).join(', ')})
      FROM public.prize_wheel_locales l WHERE l._parent_id = w.id) AS legal_note
  FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT * FROM public.prize_wheel ORDER BY created_at LIMIT 1) w ON true;
`

/** The views are the contract of src/contracts/cms-api/sales-rows.ts. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  for (const statement of [coupons, premium, wheel]) await db.execute(sql.raw(statement))
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(
    sql.raw('DROP VIEW cms_api.coupons, cms_api.spin_coupons, cms_api.premium_tiers, cms_api.prize_wheel'),
  )
}
