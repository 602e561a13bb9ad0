import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** The three languages of one column; a missing language falls back to the content's default, then to ''. */
const localized = (column: string): string => {
  const of = (locale: string) => `max(l.${column}) FILTER (WHERE l._locale = '${locale}')`
  const text = (locale: string) => `'${locale}', coalesce(${of(locale)}, ${of('hu')}, ${of('en')}, ${of('de')}, '')`
  return `jsonb_build_object(${['en', 'hu', 'de'].map(text).join(', ')})`
}

/** Active rules only; without a template a rule is for servers of all. */
const knownErrors = `
  CREATE VIEW cms_api.known_errors AS
  SELECT e.id, l.title, l.explanation, e.pattern,
    ARRAY(SELECT a.value::text FROM public.known_errors_actions a WHERE a.parent_id = e.id ORDER BY a."order") AS actions,
    ARRAY(SELECT r.templates_id FROM public.known_errors_rels r
      WHERE r.parent_id = e.id AND r.path = 'templates' AND r.templates_id IS NOT NULL ORDER BY r."order") AS template_ids
  FROM public.known_errors e
  CROSS JOIN LATERAL (SELECT ${localized('title')} AS title, ${localized('explanation')} AS explanation
    FROM public.known_errors_locales l WHERE l._parent_id = e.id) l
  WHERE coalesce(e.active, false);
`

/** Rules of staff for the console's cards. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
   CREATE TYPE "public"."enum_known_errors_actions" AS ENUM('settings', 'startup', 'networks', 'files', 'modification');
  CREATE TABLE "known_errors_actions" (
    "order" integer NOT NULL,
    "parent_id" uuid NOT NULL,
    "value" "enum_known_errors_actions",
    "id" uuid PRIMARY KEY NOT NULL
  );

  CREATE TABLE "known_errors" (
    "id" uuid PRIMARY KEY NOT NULL,
    "pattern" varchar NOT NULL,
    "examples" varchar NOT NULL,
    "counter_examples" varchar,
    "active" boolean DEFAULT true,
    "updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
    "created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );

  CREATE TABLE "known_errors_locales" (
    "title" varchar NOT NULL,
    "explanation" varchar NOT NULL,
    "id" serial PRIMARY KEY NOT NULL,
    "_locale" "_locales" NOT NULL,
    "_parent_id" uuid NOT NULL
  );

  CREATE TABLE "known_errors_rels" (
    "id" serial PRIMARY KEY NOT NULL,
    "order" integer,
    "parent_id" uuid NOT NULL,
    "path" varchar NOT NULL,
    "templates_id" uuid
  );

  ALTER TABLE "payload_locked_documents_rels" ADD COLUMN "known_errors_id" uuid;
  ALTER TABLE "known_errors_actions" ADD CONSTRAINT "known_errors_actions_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."known_errors"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "known_errors_locales" ADD CONSTRAINT "known_errors_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."known_errors"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "known_errors_rels" ADD CONSTRAINT "known_errors_rels_parent_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."known_errors"("id") ON DELETE cascade ON UPDATE no action;
  ALTER TABLE "known_errors_rels" ADD CONSTRAINT "known_errors_rels_templates_fk" FOREIGN KEY ("templates_id") REFERENCES "public"."templates"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "known_errors_actions_order_idx" ON "known_errors_actions" USING btree ("order");
  CREATE INDEX "known_errors_actions_parent_idx" ON "known_errors_actions" USING btree ("parent_id");
  CREATE INDEX "known_errors_updated_at_idx" ON "known_errors" USING btree ("updated_at");
  CREATE INDEX "known_errors_created_at_idx" ON "known_errors" USING btree ("created_at");
  CREATE UNIQUE INDEX "known_errors_locales_locale_parent_id_unique" ON "known_errors_locales" USING btree ("_locale","_parent_id");
  CREATE INDEX "known_errors_rels_order_idx" ON "known_errors_rels" USING btree ("order");
  CREATE INDEX "known_errors_rels_parent_idx" ON "known_errors_rels" USING btree ("parent_id");
  CREATE INDEX "known_errors_rels_path_idx" ON "known_errors_rels" USING btree ("path");
  CREATE INDEX "known_errors_rels_templates_id_idx" ON "known_errors_rels" USING btree ("templates_id");
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_known_errors_fk" FOREIGN KEY ("known_errors_id") REFERENCES "public"."known_errors"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "payload_locked_documents_rels_known_errors_id_idx" ON "payload_locked_documents_rels" USING btree ("known_errors_id");`)
  await db.execute(sql.raw(knownErrors))
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP VIEW cms_api.known_errors;
    ALTER TABLE "payload_locked_documents_rels" DROP COLUMN "known_errors_id";
    DROP TABLE "known_errors_rels";
    DROP TABLE "known_errors_actions";
    DROP TABLE "known_errors_locales";
    DROP TABLE "known_errors";
    DROP TYPE "public"."enum_known_errors_actions";`)
}
