import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** What one administrator may move by hand, and who may be given nothing any more: views of their own, so that no other changes. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    ALTER TABLE "settings" ADD COLUMN "manual_credit_limit_ft" numeric DEFAULT 10000 NOT NULL;
    CREATE VIEW cms_api.money_settings AS
    SELECT coalesce(s.manual_credit_limit_ft, 10000)::int AS manual_credit_limit_ft
    FROM (SELECT 1) one LEFT JOIN (SELECT * FROM public.settings ORDER BY created_at, id LIMIT 1) s ON true;
    CREATE VIEW cms_api.erased_people AS SELECT id FROM public.users WHERE account_state = 'erased';`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP VIEW cms_api.money_settings;
    DROP VIEW cms_api.erased_people;
    ALTER TABLE "settings" DROP COLUMN "manual_credit_limit_ft";`)
}
