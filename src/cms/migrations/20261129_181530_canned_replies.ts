import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
   CREATE TABLE "canned_replies" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"active" boolean DEFAULT true,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "canned_replies_locales" (
  	"title" varchar NOT NULL,
  	"text" varchar NOT NULL,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  ALTER TABLE "payload_locked_documents_rels" ADD COLUMN "canned_replies_id" uuid;
  ALTER TABLE "canned_replies_locales" ADD CONSTRAINT "canned_replies_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."canned_replies"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "canned_replies_updated_at_idx" ON "canned_replies" USING btree ("updated_at");
  CREATE INDEX "canned_replies_created_at_idx" ON "canned_replies" USING btree ("created_at");
  CREATE UNIQUE INDEX "canned_replies_locales_locale_parent_id_unique" ON "canned_replies_locales" USING btree ("_locale","_parent_id");
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_canned_replies_fk" FOREIGN KEY ("canned_replies_id") REFERENCES "public"."canned_replies"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "payload_locked_documents_rels_canned_replies_id_idx" ON "payload_locked_documents_rels" USING btree ("canned_replies_id");`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
   ALTER TABLE "canned_replies" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "canned_replies_locales" DISABLE ROW LEVEL SECURITY;
  DROP TABLE "canned_replies" CASCADE;
  DROP TABLE "canned_replies_locales" CASCADE;
  ALTER TABLE "payload_locked_documents_rels" DROP CONSTRAINT "payload_locked_documents_rels_canned_replies_fk";
  
  DROP INDEX "payload_locked_documents_rels_canned_replies_id_idx";
  ALTER TABLE "payload_locked_documents_rels" DROP COLUMN "canned_replies_id";`)
}
