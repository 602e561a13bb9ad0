import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** The configuration files that a template describes: customers edit them as a form. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    ALTER TABLE "templates" ADD COLUMN "described_files" varchar;
    CREATE VIEW cms_api.template_files AS
    SELECT id, coalesce(nullif(btrim(described_files, E' \\t\\r\\n'), ''), '[]')::jsonb AS described_files FROM public.templates;`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP VIEW cms_api.template_files;
    ALTER TABLE "templates" DROP COLUMN "described_files";`)
}
