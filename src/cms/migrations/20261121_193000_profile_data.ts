import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/**
 * A person's time zone, and to whom invoices are made out. Profile pictures lie in schema identity: no file of the CMS was ever
 * shown as one.
 */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    ALTER TABLE "users" DROP CONSTRAINT "users_profile_picture_id_media_id_fk";
    DROP INDEX "users_profile_picture_idx";
    ALTER TABLE "users" DROP COLUMN "profile_picture_id";
    ALTER TABLE "users" ADD COLUMN "time_zone" varchar;
    CREATE VIEW cms_api.invoice_contacts AS
    SELECT id, invoice_type::text AS invoice_type,
      coalesce(contact_first_name, '') AS first_name, coalesce(contact_last_name, '') AS last_name,
      coalesce(contact_street_and_house_number, '') AS street_and_house_number,
      coalesce(contact_postal_code, '') AS postal_code, coalesce(contact_city, '') AS city
    FROM public.users;`)
}

/** Times are shown in the browser's zone again. */
export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP VIEW cms_api.invoice_contacts;
    ALTER TABLE "users" DROP COLUMN "time_zone";
    ALTER TABLE "users" ADD COLUMN "profile_picture_id" uuid;
    ALTER TABLE "users" ADD CONSTRAINT "users_profile_picture_id_media_id_fk" FOREIGN KEY ("profile_picture_id")
      REFERENCES "public"."media"("id") ON DELETE set null ON UPDATE no action;
    CREATE INDEX "users_profile_picture_idx" ON "users" USING btree ("profile_picture_id");`)
}
