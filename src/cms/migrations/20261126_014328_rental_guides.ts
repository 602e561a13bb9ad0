import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** The facts that the rent form shows: version and player guide of a template, place of a computer. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    ALTER TABLE "templates" ADD COLUMN "version_variable" varchar;
    ALTER TABLE "templates" ADD COLUMN "base_memory_mi_b" numeric;
    ALTER TABLE "templates" ADD COLUMN "player_memory_mi_b" numeric;
    ALTER TABLE "computers" ADD COLUMN "city" varchar;
    ALTER TABLE "computers" ADD COLUMN "country" varchar;
    CREATE VIEW cms_api.template_guides AS
    SELECT t.id,
      (SELECT nullif(v."default", '') FROM public.templates_variables v
       WHERE v._parent_id = t.id AND v.environment_variable = t.version_variable LIMIT 1) AS version,
      t.base_memory_mi_b::int AS base_memory_mib, t.player_memory_mi_b::int AS player_memory_mib
    FROM public.templates t;
    CREATE VIEW cms_api.computer_places AS
    SELECT id, nullif(city, '') AS city, nullif(country, '') AS country FROM public.computers;`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP VIEW cms_api.template_guides;
    DROP VIEW cms_api.computer_places;
    ALTER TABLE "templates" DROP COLUMN "version_variable";
    ALTER TABLE "templates" DROP COLUMN "base_memory_mi_b";
    ALTER TABLE "templates" DROP COLUMN "player_memory_mi_b";
    ALTER TABLE "computers" DROP COLUMN "city";
    ALTER TABLE "computers" DROP COLUMN "country";`)
}
