import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/**
 * The drawing of each service, and its pictures: staff's own, else its drawing. Services that keep the slug under which they
 * were seeded get their drawing here.
 */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    CREATE TYPE "public"."enum_services_drawing" AS ENUM('minecraft', 'arma', 'csgo', 'conan', 'mta', 'fivem', 'vps', 'bot');
    ALTER TABLE "services" ADD COLUMN "drawing" "enum_services_drawing";
    UPDATE "services" SET "drawing" =
      (CASE "slug" WHEN 'conan-exiles' THEN 'conan' ELSE "slug" END)::"enum_services_drawing"
    WHERE "slug" IN ('minecraft', 'arma', 'csgo', 'conan-exiles', 'mta', 'fivem', 'vps', 'bot');
    CREATE VIEW cms_api.service_pictures AS
    SELECT s.id,
      coalesce((SELECT '/api/cms/media/file/' || m.filename FROM public.media m WHERE m.id = s.banner_id),
        '/pictures/banners/' || s.drawing || '.svg') AS banner,
      coalesce((SELECT '/api/cms/media/file/' || m.filename FROM public.media m WHERE m.id = s.icon_id),
        '/pictures/icons/' || s.drawing || '.svg') AS icon
    FROM public.services s;`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP VIEW cms_api.service_pictures;
    ALTER TABLE "services" DROP COLUMN "drawing";
    DROP TYPE "public"."enum_services_drawing";`)
}
