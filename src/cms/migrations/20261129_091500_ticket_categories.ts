import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** The name in the three languages; a missing language falls back to the content's default, then to ''. */
const of = (locale: string) => `max(l.name) FILTER (WHERE l._locale = '${locale}')`
const name = ['en', 'hu', 'de'].map((locale) => `'${locale}', coalesce(${of(locale)}, ${of('hu')}, ${of('en')}, ${of('de')}, '')`)

/** Categories of tickets, inactive ones too: old tickets have them. */
const ticketCategories = `
  CREATE VIEW cms_api.ticket_categories AS
  SELECT c.id, l.name, coalesce(c.active, false) AS active
  FROM public.ticket_categories c
  CROSS JOIN LATERAL (SELECT jsonb_build_object(${name.join(', ')}) AS name
    FROM public.ticket_categories_locales l WHERE l._parent_id = c.id) l;
`

export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql.raw(ticketCategories))
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`DROP VIEW cms_api.ticket_categories;`)
}
