import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/**
 * The words under which a guide is found: as they stand and as the stems of its language, in lower case and without accents. What is
 * not a letter, a digit or a mark of one parts words. `named` has those of the title and of the words that staff add, and `written`
 * those of the text. A mark without a letter is no word, and what is
 * too long for a vector is left out.
 */
const FOUND_BY = String.raw`
  CREATE FUNCTION cms_api.guide_words(p_locale public._locales, p_text text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_to_tsvector(array_agg(DISTINCT f.form)), '') FROM (
      SELECT regexp_replace(normalize(w.form, NFD), '[\u0300-\u036f]', '', 'g') AS form
      FROM (SELECT regexp_replace(lower(normalize(p_text, NFC)),
        '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g') AS words) t,
      unnest(tsvector_to_array(to_tsvector('pg_catalog.simple', t.words) || to_tsvector(CASE p_locale
        WHEN 'hu' THEN 'pg_catalog.hungarian'::regconfig
        WHEN 'de' THEN 'pg_catalog.german'::regconfig
        ELSE 'pg_catalog.english'::regconfig END, t.words))) w (form)) f
    WHERE f.form <> '' AND length(f.form) <= 200
  $$;

  CREATE FUNCTION cms_api.rich_text_words(p_body jsonb) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT left(coalesce(string_agg(t.text #>> '{}', ' '), ''), 200000)
    FROM jsonb_path_query(p_body, 'strict $.** ? (@.type == "text").text', '{}', true) t (text)
  $$;

  ALTER TABLE "guides_locales"
    ADD COLUMN "named" tsvector GENERATED ALWAYS AS (cms_api.guide_words("_locale", "title" || ' ' || coalesce("words", ''))) STORED,
    ADD COLUMN "written" tsvector
      GENERATED ALWAYS AS (cms_api.guide_words("_locale", "summary" || ' ' || cms_api.rich_text_words("body"))) STORED;`

export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
   CREATE TYPE "public"."enum_guides_topic" AS ENUM('account', 'balance', 'servers', 'services');
  CREATE TABLE "guides" (
  	"id" uuid PRIMARY KEY NOT NULL,
  	"slug" varchar NOT NULL,
  	"topic" "enum_guides_topic" NOT NULL,
  	"position" numeric DEFAULT 100 NOT NULL,
  	"published" boolean DEFAULT false,
  	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
  	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
  );
  
  CREATE TABLE "guides_locales" (
  	"title" varchar NOT NULL,
  	"summary" varchar NOT NULL,
  	"body" jsonb NOT NULL,
  	"words" varchar,
  	"id" serial PRIMARY KEY NOT NULL,
  	"_locale" "_locales" NOT NULL,
  	"_parent_id" uuid NOT NULL
  );
  
  ALTER TABLE "payload_locked_documents_rels" ADD COLUMN "guides_id" uuid;
  ALTER TABLE "guides_locales" ADD CONSTRAINT "guides_locales_parent_id_fk" FOREIGN KEY ("_parent_id") REFERENCES "public"."guides"("id") ON DELETE cascade ON UPDATE no action;
  CREATE UNIQUE INDEX "guides_slug_idx" ON "guides" USING btree ("slug");
  CREATE INDEX "guides_topic_idx" ON "guides" USING btree ("topic");
  CREATE INDEX "guides_position_idx" ON "guides" USING btree ("position");
  CREATE INDEX "guides_published_idx" ON "guides" USING btree ("published");
  CREATE INDEX "guides_updated_at_idx" ON "guides" USING btree ("updated_at");
  CREATE INDEX "guides_created_at_idx" ON "guides" USING btree ("created_at");
  CREATE UNIQUE INDEX "guides_locales_locale_parent_id_unique" ON "guides_locales" USING btree ("_locale","_parent_id");
  ALTER TABLE "payload_locked_documents_rels" ADD CONSTRAINT "payload_locked_documents_rels_guides_fk" FOREIGN KEY ("guides_id") REFERENCES "public"."guides"("id") ON DELETE cascade ON UPDATE no action;
  CREATE INDEX "payload_locked_documents_rels_guides_id_idx" ON "payload_locked_documents_rels" USING btree ("guides_id");`)
  await db.execute(sql.raw(FOUND_BY))
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
   ALTER TABLE "guides" DISABLE ROW LEVEL SECURITY;
  ALTER TABLE "guides_locales" DISABLE ROW LEVEL SECURITY;
  DROP TABLE "guides" CASCADE;
  DROP TABLE "guides_locales" CASCADE;
  ALTER TABLE "payload_locked_documents_rels" DROP CONSTRAINT "payload_locked_documents_rels_guides_fk";
  
  DROP INDEX "payload_locked_documents_rels_guides_id_idx";
  ALTER TABLE "payload_locked_documents_rels" DROP COLUMN "guides_id";
  DROP TYPE "public"."enum_guides_topic";
  DROP FUNCTION cms_api.guide_words;
  DROP FUNCTION cms_api.rich_text_words;`)
}
