import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
   CREATE TABLE "votings_options" (
  	"_order" integer NOT NULL,
  	"_parent_id" uuid NOT NULL,
  	"id" varchar PRIMARY KEY NOT NULL
  );
  
  CREATE TABLE "votings_options_locales" (
  	"text" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" varchar NOT NULL
  );
  
  CREATE TABLE "votings" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"ends_at" timestamp(3) with time zone,
  	"active" boolean DEFAULT false NOT NULL,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "votings_locales" (
  	"question" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  ALTER TABLE "payload_locked_documents_rels" ADD COLUMN "votings_id" uuid;
  ALTER TABLE "votings_options" ADD CONSTRAINT "votings_options_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."votings"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "votings_options_locales" ADD CONSTRAINT "votings_options_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."votings_options"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "votings_locales" ADD CONSTRAINT "votings_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."votings"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "votings_options_order_idx" ON "votings_options" USING btree ("_order");
  CREATE INDEX "votings_options_parent_id_idx" ON "votings_options" USING btree ("_parent_id");
  CREATE UNIQUE INDEX "votings_options_locales_locale_parent_id_unique" ON "votings_options_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "votings_ends_at_idx" ON "votings" USING btree ("ends_at");
  CREATE INDEX "votings_updated_at_idx" ON "votings" USING btree ("updated_at");
  CREATE INDEX "votings_created_at_idx" ON "votings" USING btree ("created_at");
  CREATE UNIQUE INDEX "votings_locales_locale_parent_id_unique" ON "votings_locales" USING btree ("_locale","_parent_id");
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_votings_fk" FOREIGN KEY ("votings_id") REFERENCES "public"."votings"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "payload_locked_documents_rels_votings_id_idx" ON "payload_locked_documents_rels" USING btree ("votings_id");`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
   ALTER TABLE "votings_options" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "votings_options_locales" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "votings" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "votings_locales" DISABLE ROW LEVEL SECURITY;
  DROP TABLE "votings_options" CASCADE;
  DROP TABLE "votings_options_locales" CASCADE;
  DROP TABLE "votings" CASCADE;
  DROP TABLE "votings_locales" CASCADE;
  ALTER TABLE "payload_locked_documents_rels" DROP CONSTRAINT "payload_locked_documents_rels_votings_fk";
  
  DROP INDEX "payload_locked_documents_rels_votings_id_idx";
  ALTER TABLE "payload_locked_documents_rels" DROP COLUMN "votings_id";`)
}
