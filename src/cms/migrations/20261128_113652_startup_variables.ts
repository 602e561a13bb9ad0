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

/** The view with what it says of each variable; `more` are pairs of a key and its expression. */
const templates = (columns: string[], more: string): string => `
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
        'environmentVariable', v.environment_variable, 'editable', v.editable${more}) ORDER BY v._order)
      FROM public.templates_variables v
      CROSS JOIN LATERAL (${localizedFrom('templates_variables_locales', columns, 'v.id')}) n
      WHERE v._parent_id = t.id), '[]'::jsonb) AS variables
  FROM public.templates t
  CROSS JOIN LATERAL (${localizedFrom('templates_locales', ['description'], 't.id')}) l;`

/**
 * What a variable accepts, whether it is secret, and which port it contains. Variables of the first templates get the
 * rules under which they are seeded now.
 */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  await db.execute(sql`
    ALTER TABLE "templates_variables" ADD COLUMN "rules" varchar;
    ALTER TABLE "templates_variables" ADD COLUMN "secret" boolean DEFAULT false;
    ALTER TABLE "templates_variables" ADD COLUMN "port" numeric;
    ALTER TABLE "templates_variables_locales" ADD COLUMN "description" varchar;
    UPDATE "templates_variables" SET "rules" = 'required|integer|between:1,200' WHERE "environment_variable" = 'MAX_PLAYERS';
    UPDATE "templates_variables" SET "secret" = true WHERE "environment_variable" IN ('STEAM_ACC', 'FIVEM_LICENSE');`)
  const more = `, 'description', n.description, 'rules', coalesce(v.rules, ''), 'secret', coalesce(v.secret, false), 'port', v.port::int`
  await db.execute(sql.raw(templates(['name', 'description'], more)))
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql.raw(templates(['name'], '')))
  await db.execute(sql`
    ALTER TABLE "templates_variables" DROP COLUMN "rules";
    ALTER TABLE "templates_variables" DROP COLUMN "secret";
    ALTER TABLE "templates_variables" DROP COLUMN "port";
    ALTER TABLE "templates_variables_locales" DROP COLUMN "description";`)
}
