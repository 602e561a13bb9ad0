import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** Coupons, spin coupons, premium tiers and the settings of the prize wheel. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
   CREATE TYPE "public"."enum_coupons_type" AS ENUM('percentage', 'forint');
  CREATE TYPE "public"."enum_coupons_usage" AS ENUM('once', 'multiple');
  CREATE TYPE "public"."enum_prize_wheel_prizes_type" AS ENUM('money', 'reroll', 'server', 'coupon', 'nothing');
  CREATE TABLE "coupons" (
    "id" uuid PRIMARY KEY NOT NULL,
    "name" varchar NOT NULL,
    "code" varchar NOT NULL,
    "type" "enum_coupons_type" DEFAULT 'percentage' NOT NULL,
    "amount" numeric NOT NULL,
    "valid_from" timestamp(3) with time zone,
    "valid_to" timestamp(3) with time zone,
    "expiration" timestamp(3) with time zone,
    "maximum_price_ft" numeric,
    "maximum_usage" numeric,
    "usage" "enum_coupons_usage" DEFAULT 'once' NOT NULL,
    "active" boolean DEFAULT true NOT NULL,
    "updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
    "created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );

  CREATE TABLE "coupons_rels" (
    "id" serial PRIMARY KEY NOT NULL,
    "order" integer,
    "parent_id" uuid NOT NULL,
    "path" varchar NOT NULL,
    "services_id" uuid
  );

  CREATE TABLE "spin_coupons" (
    "id" uuid PRIMARY KEY NOT NULL,
    "code" varchar NOT NULL,
    "number_of_uses" numeric NOT NULL,
    "spins" numeric DEFAULT 1 NOT NULL,
    "expiration" timestamp(3) with time zone,
    "active" boolean DEFAULT true NOT NULL,
    "updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
    "created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );

  CREATE TABLE "premium" (
    "id" uuid PRIMARY KEY NOT NULL,
    "none_backup_slots" numeric DEFAULT 3 NOT NULL,
    "none_sub_users" numeric DEFAULT 2 NOT NULL,
    "none_free_spins" numeric DEFAULT 0 NOT NULL,
    "none_discount_percent" numeric DEFAULT 0 NOT NULL,
    "essentials_backup_slots" numeric DEFAULT 7 NOT NULL,
    "essentials_sub_users" numeric DEFAULT 4 NOT NULL,
    "essentials_free_spins" numeric DEFAULT 1 NOT NULL,
    "essentials_discount_percent" numeric DEFAULT 5 NOT NULL,
    "essentials_price_ft" numeric DEFAULT 990 NOT NULL,
    "essentials_days" numeric DEFAULT 30 NOT NULL,
    "maximus_backup_slots" numeric DEFAULT 10 NOT NULL,
    "maximus_sub_users" numeric DEFAULT 8 NOT NULL,
    "maximus_free_spins" numeric DEFAULT 2 NOT NULL,
    "maximus_discount_percent" numeric DEFAULT 10 NOT NULL,
    "maximus_price_ft" numeric DEFAULT 1990 NOT NULL,
    "maximus_days" numeric DEFAULT 30 NOT NULL,
    "ultimus_backup_slots" numeric DEFAULT 15 NOT NULL,
    "ultimus_sub_users" numeric DEFAULT 12 NOT NULL,
    "ultimus_free_spins" numeric DEFAULT 4 NOT NULL,
    "ultimus_discount_percent" numeric DEFAULT 15 NOT NULL,
    "ultimus_price_ft" numeric DEFAULT 3490 NOT NULL,
    "ultimus_days" numeric DEFAULT 30 NOT NULL,
    "updated_at" timestamp(3) with time zone,
    "created_at" timestamp(3) with time zone
  );

  CREATE TABLE "prize_wheel_prizes" (
    "_order" integer NOT NULL,
    "_parent_id" uuid NOT NULL,
    "id" varchar PRIMARY KEY NOT NULL,
    "type" "enum_prize_wheel_prizes_type" NOT NULL,
    "amount" numeric,
    "weight" numeric NOT NULL
  );

  CREATE TABLE "prize_wheel" (
    "id" uuid PRIMARY KEY NOT NULL,
    "server_package_id" uuid,
    "buying" boolean DEFAULT false NOT NULL,
    "spin_price_ft" numeric DEFAULT 200 NOT NULL,
    "updated_at" timestamp(3) with time zone,
    "created_at" timestamp(3) with time zone
  );

  CREATE TABLE "prize_wheel_locales" (
    "legal_note" varchar,
    "id" serial PRIMARY KEY NOT NULL,
    "_locale" "_locales" NOT NULL,
    "_parent_id" uuid NOT NULL
  );

  CREATE TABLE "prize_wheel_texts" (
    "id" serial PRIMARY KEY NOT NULL,
    "order" integer NOT NULL,
    "parent_id" uuid NOT NULL,
    "path" varchar NOT NULL,
    "text" varchar
  );

  ALTER TABLE "payload_locked_documents_rels" ADD COLUMN "coupons_id" uuid;
  ALTER TABLE "payload_locked_documents_rels" ADD COLUMN "spin_coupons_id" uuid;
  ALTER TABLE "coupons_rels" ADD CONSTRAINT "coupons_rels_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."coupons"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "coupons_rels" ADD CONSTRAINT "coupons_rels_services_fk" FOREIGN KEY ("services_id") REFERENCES "public"."services"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "prize_wheel_prizes" ADD CONSTRAINT "prize_wheel_prizes_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."prize_wheel"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "prize_wheel" ADD CONSTRAINT "prize_wheel_server_package_id_packages_id_fk" FOREIGN KEY ("server_package_id") REFERENCES "public"."packages"("id") ON DELETE set null ON UPDATE no action;
  ALTER TABLE "prize_wheel_locales" ADD CONSTRAINT "prize_wheel_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."prize_wheel"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "prize_wheel_texts" ADD CONSTRAINT "prize_wheel_texts_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."prize_wheel"("id") ON DELETE cascade ON UPDATE no action;
  CREATE UNIQUE INDEX "coupons_code_idx" ON "coupons" USING btree ("code");
  CREATE INDEX "coupons_updated_at_idx" ON "coupons" USING btree ("updated_at");
  CREATE INDEX "coupons_created_at_idx" ON "coupons" USING btree ("created_at");
  CREATE INDEX "coupons_rels_order_idx" ON "coupons_rels" USING btree ("order");
  CREATE INDEX "coupons_rels_parent_idx" ON "coupons_rels" USING btree ("parent_id");
  CREATE INDEX "coupons_rels_path_idx" ON "coupons_rels" USING btree ("path");
  CREATE INDEX "coupons_rels_services_id_idx" ON "coupons_rels" USING btree ("services_id");
  CREATE UNIQUE INDEX "spin_coupons_code_idx" ON "spin_coupons" USING btree ("code");
  CREATE INDEX "spin_coupons_updated_at_idx" ON "spin_coupons" USING btree ("updated_at");
  CREATE INDEX "spin_coupons_created_at_idx" ON "spin_coupons" USING btree ("created_at");
  CREATE INDEX "prize_wheel_prizes_order_idx" ON "prize_wheel_prizes" USING btree ("_order");
  CREATE INDEX "prize_wheel_prizes_parent_id_idx" ON "prize_wheel_prizes" USING btree ("_parent_id");
  CREATE INDEX "prize_wheel_server_package_idx" ON "prize_wheel" USING btree ("server_package_id");
  CREATE UNIQUE INDEX "prize_wheel_locales_locale_parent_id_unique" ON "prize_wheel_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "prize_wheel_texts_order_parent" ON "prize_wheel_texts" USING btree ("order","parent_id");
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_coupons_fk" FOREIGN KEY ("coupons_id") REFERENCES "public"."coupons"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_spin_coupons_fk" FOREIGN KEY ("spin_coupons_id") REFERENCES "public"."spin_coupons"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "payload_locked_documents_rels_coupons_id_idx" ON "payload_locked_documents_rels" USING btree ("coupons_id");
  CREATE INDEX "payload_locked_documents_rels_spin_coupons_id_idx" ON "payload_locked_documents_rels" USING btree ("spin_coupons_id");`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
   ALTER TABLE "coupons" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "coupons_rels" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "spin_coupons" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "premium" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "prize_wheel_prizes" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "prize_wheel" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "prize_wheel_locales" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "prize_wheel_texts" DISABLE ROW LEVEL SECURITY;
  DROP TABLE "coupons" CASCADE;
  DROP TABLE "coupons_rels" CASCADE;
  DROP TABLE "spin_coupons" CASCADE;
  DROP TABLE "premium" CASCADE;
  DROP TABLE "prize_wheel_prizes" CASCADE;
  DROP TABLE "prize_wheel" CASCADE;
  DROP TABLE "prize_wheel_locales" CASCADE;
  DROP TABLE "prize_wheel_texts" CASCADE;
  ALTER TABLE "payload_locked_documents_rels" DROP CONSTRAINT "payload_locked_documents_rels_coupons_fk";

  ALTER TABLE "payload_locked_documents_rels" DROP CONSTRAINT "payload_locked_documents_rels_spin_coupons_fk";

  DROP INDEX "payload_locked_documents_rels_coupons_id_idx";
  DROP INDEX "payload_locked_documents_rels_spin_coupons_id_idx";
  ALTER TABLE "payload_locked_documents_rels" DROP COLUMN "coupons_id";
  ALTER TABLE "payload_locked_documents_rels" DROP COLUMN "spin_coupons_id";
  DROP TYPE "public"."enum_coupons_type";
  DROP TYPE "public"."enum_coupons_usage";
  DROP TYPE "public"."enum_prize_wheel_prizes_type";`)
}
