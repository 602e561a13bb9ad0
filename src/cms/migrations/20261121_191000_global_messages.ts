import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** Messages to everybody of an audience. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
   CREATE TYPE "public"."enum_global_messages_severity" AS ENUM('info', 'warning', 'error');
  CREATE TYPE "public"."enum_global_messages_audience" AS ENUM('public', 'customers', 'staff');
  CREATE TABLE "global_messages" (
    "id" uuid PRIMARY KEY NOT NULL,
    "severity" "enum_global_messages_severity" DEFAULT 'info' NOT NULL,
    "audience" "enum_global_messages_audience" DEFAULT 'public' NOT NULL,
    "from" timestamp(3) with time zone,
    "to" timestamp(3) with time zone,
    "updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
    "created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );

  CREATE TABLE "global_messages_locales" (
    "text" varchar NOT NULL,
    "id" serial PRIMARY KEY NOT NULL,
    "_locale" "_locales" NOT NULL,
    "_parent_id" uuid NOT NULL
  );

  ALTER TABLE "payload_locked_documents_rels" ADD COLUMN "global_messages_id" uuid;
  ALTER TABLE "global_messages_locales" ADD CONSTRAINT "global_messages_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."global_messages"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "global_messages_updated_at_idx" ON "global_messages" USING btree ("updated_at");
  CREATE INDEX "global_messages_created_at_idx" ON "global_messages" USING btree ("created_at");
  CREATE UNIQUE INDEX "global_messages_locales_locale_parent_id_unique" ON "global_messages_locales" USING btree ("_locale","_parent_id");
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_global_messages_fk" FOREIGN KEY ("global_messages_id") REFERENCES "public"."global_messages"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "payload_locked_documents_rels_global_messages_id_idx" ON "payload_locked_documents_rels" USING btree ("global_messages_id");`)
}

/** Nobody is told anything any more. */
export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`

  ALTER TABLE "payload_locked_documents_rels" DROP COLUMN "global_messages_id";
  DROP TABLE "global_messages_locales";
  DROP TABLE "global_messages";
  DROP TYPE "public"."enum_global_messages_severity";
  DROP TYPE "public"."enum_global_messages_audience";`)
}
