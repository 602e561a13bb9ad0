import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** What stands on invoices, and what they need of a customer beside the contact data. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    CREATE TYPE "public"."enum_invoicing_tax_point" AS ENUM('at_topup', 'at_spend');
    CREATE TABLE "invoicing" (
      "id" uuid PRIMARY KEY NOT NULL,
      "seller_name" varchar,
      "seller_postal_code" varchar,
      "seller_city" varchar,
      "seller_street" varchar,
      "seller_country" varchar DEFAULT 'HU' NOT NULL,
      "seller_tax_number" varchar,
      "seller_eu_tax_number" varchar,
      "seller_registry_number" varchar,
      "seller_bank_account" varchar,
      "seller_email" varchar,
      "invoice_prefix" varchar DEFAULT 'SZ' NOT NULL,
      "receipt_prefix" varchar DEFAULT 'NY' NOT NULL,
      "tax_point" "enum_invoicing_tax_point" DEFAULT 'at_spend' NOT NULL,
      "szamlazz_enabled" boolean DEFAULT false NOT NULL,
      "szamlazz_agent_key" varchar,
      "updated_at" timestamp(3) with time zone,
      "created_at" timestamp(3) with time zone
    );
    ALTER TABLE "users" ADD COLUMN "billing_country" varchar;
    ALTER TABLE "users" ADD COLUMN "billing_company" varchar;
    ALTER TABLE "users" ADD COLUMN "billing_tax_number" varchar;
    CREATE VIEW cms_api.invoicing AS
    SELECT coalesce(i.seller_name, '') AS seller_name, coalesce(i.seller_postal_code, '') AS seller_postal_code,
      coalesce(i.seller_city, '') AS seller_city, coalesce(i.seller_street, '') AS seller_street,
      coalesce(i.seller_country, 'HU') AS seller_country, coalesce(i.seller_tax_number, '') AS seller_tax_number,
      coalesce(i.seller_eu_tax_number, '') AS seller_eu_tax_number,
      coalesce(i.seller_registry_number, '') AS seller_registry_number,
      coalesce(i.seller_bank_account, '') AS seller_bank_account, coalesce(i.seller_email, '') AS seller_email,
      coalesce(i.invoice_prefix, 'SZ') AS invoice_prefix, coalesce(i.receipt_prefix, 'NY') AS receipt_prefix,
      coalesce(i.tax_point::text, 'at_spend') AS tax_point, coalesce(i.szamlazz_enabled, false) AS szamlazz_enabled,
      i.szamlazz_agent_key AS szamlazz_agent_key_sealed
    FROM (SELECT 1) one LEFT JOIN (SELECT * FROM public.invoicing ORDER BY created_at, id LIMIT 1) i ON true;
    CREATE OR REPLACE VIEW cms_api.invoice_contacts AS
    SELECT id, invoice_type::text AS invoice_type,
      coalesce(contact_first_name, '') AS first_name, coalesce(contact_last_name, '') AS last_name,
      coalesce(contact_street_and_house_number, '') AS street_and_house_number,
      coalesce(contact_postal_code, '') AS postal_code, coalesce(contact_city, '') AS city,
      coalesce(nullif(billing_country, ''), 'HU') AS country, coalesce(billing_company, '') AS company,
      coalesce(billing_tax_number, '') AS tax_number
    FROM public.users;`)
}

/** Nothing is invoiced any more; what was issued stays. */
export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP VIEW cms_api.invoicing;
    DROP VIEW cms_api.invoice_contacts;
    CREATE VIEW cms_api.invoice_contacts AS
    SELECT id, invoice_type::text AS invoice_type,
      coalesce(contact_first_name, '') AS first_name, coalesce(contact_last_name, '') AS last_name,
      coalesce(contact_street_and_house_number, '') AS street_and_house_number,
      coalesce(contact_postal_code, '') AS postal_code, coalesce(contact_city, '') AS city
    FROM public.users;
    ALTER TABLE "users" DROP COLUMN "billing_country";
    ALTER TABLE "users" DROP COLUMN "billing_company";
    ALTER TABLE "users" DROP COLUMN "billing_tax_number";
    DROP TABLE "invoicing";
    DROP TYPE "public"."enum_invoicing_tax_point";`)
}
