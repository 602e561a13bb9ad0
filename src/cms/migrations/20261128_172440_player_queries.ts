import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** The three languages of one column; a missing language falls back to the content's default, then to ''. */
const localized = (column: string): string => {
  const of = (locale: string) => `max(l.${column}) FILTER (WHERE l._locale = '${locale}')`
  const text = (locale: string) => `'${locale}', coalesce(${of(locale)}, ${of('hu')}, ${of('en')}, '')`
  return `jsonb_build_object(${['en', 'hu', 'de'].map(text).join(', ')})`
}

const argv = (table: string, parent: string): string =>
  `(SELECT array_agg(a.value::text ORDER BY a._order) FROM public.${table} a WHERE a._parent_id = ${parent})`

const localizedFrom = (table: string, columns: string[], key: string): string =>
  `SELECT ${columns.map((column) => `${localized(column)} AS ${column}`).join(', ')} FROM public.${table} l WHERE l._parent_id = ${key}`

/** The view; `more` are its last columns. */
const templates = (more: string): string => `
  CREATE OR REPLACE VIEW cms_api.templates AS
  SELECT t.id, t.slug, t.name, l.description,
    ARRAY(SELECT r.value::text FROM public.templates_runtimes r WHERE r.parent_id = t.id ORDER BY r."order") AS runtimes,
    coalesce(t.needs_internet, false) AS needs_internet,
    coalesce((SELECT jsonb_agg(jsonb_build_object('label', i.label, 'image', i.image) ORDER BY i._order)
      FROM public.templates_docker_images i WHERE i._parent_id = t.id), '[]'::jsonb) AS docker_images,
    coalesce(${argv('templates_startup_program', 't.id')}, ARRAY[]::text[]) AS startup_argv,
    ARRAY(SELECT trim(line) FROM regexp_split_to_table(t.startup_text, E'\\n') WITH ORDINALITY AS lines(line, n)
      WHERE trim(line) <> '' ORDER BY n) AS done_texts,
    t.stop_command,
    coalesce((SELECT jsonb_agg(jsonb_build_object('argv', ${argv('templates_installation_program_arguments', 'p.id')},
        'timeoutMs', (p.timeout_seconds * 1000)::int) ORDER BY p._order)
      FROM public.templates_installation_program p WHERE p._parent_id = t.id), '[]'::jsonb) AS installation,
    t.installation_image, t.installation_script, t.required_ports::int AS required_ports,
    coalesce((SELECT jsonb_agg(jsonb_build_object('name', n.name, 'default', coalesce(v."default", ''),
        'environmentVariable', v.environment_variable, 'editable', v.editable, 'description', n.description,
        'rules', coalesce(v.rules, ''), 'secret', coalesce(v.secret, false), 'port', v.port::int) ORDER BY v._order)
      FROM public.templates_variables v
      CROSS JOIN LATERAL (${localizedFrom('templates_variables_locales', ['name', 'description'], 'v.id')}) n
      WHERE v._parent_id = t.id), '[]'::jsonb) AS variables${more}
  FROM public.templates t
  CROSS JOIN LATERAL (${localizedFrom('templates_locales', ['description'], 't.id')}) l;`

/** How a node counts the players of a template's servers. The first templates get the query with which they are seeded now. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    CREATE TYPE "public"."enum_templates_query_type" AS ENUM('protocol-minecraftvanilla', 'protocol-minecraftbedrock', 'protocol-valve', 'arma3', 'conanexiles', 'counterstrike16', 'counterstrike2', 'csgo', 'garrysmod', 'rust');
    ALTER TABLE "templates" ADD COLUMN "query_type" "enum_templates_query_type";
    ALTER TABLE "templates" ADD COLUMN "query_port" numeric;`)
  await db.execute(sql.raw(templates(', t.query_type::text AS query_type, t.query_port::int AS query_port')))
  // The type's values are usable in the transaction that makes it, because the type is new too.
  await db.execute(sql`
    UPDATE "templates" SET "query_type" = 'protocol-minecraftvanilla' WHERE "slug" IN ('minecraft-flying-squid', 'minecraft-paper');
    UPDATE "templates" SET "query_type" = 'csgo' WHERE "slug" = 'csgo';
    UPDATE "templates" SET "query_type" = 'conanexiles', "query_port" = 1 WHERE "slug" = 'conan-exiles';`)
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  // A view loses columns only by being made again.
  await db.execute(sql`DROP VIEW cms_api.templates;`)
  await db.execute(sql.raw(templates('')))
  await db.execute(sql`
    ALTER TABLE "templates" DROP COLUMN "query_type";
    ALTER TABLE "templates" DROP COLUMN "query_port";
    DROP TYPE "public"."enum_templates_query_type";`)
}
