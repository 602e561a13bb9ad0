import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/** The three languages of one column as jsonb; a missing language falls back to the content's default, then to ''. */
const localized = (column: string): string => {
  const of = (locale: string) => `max(l.${column}) FILTER (WHERE l._locale = '${locale}')`
  const text = (locale: string) => `'${locale}', coalesce(${of(locale)}, ${of('hu')}, ${of('en')}, '')`
  return `jsonb_build_object(${['en', 'hu', 'de'].map(text).join(', ')})`
}

const localizedFrom = (table: string, columns: string[], key: string): string =>
  `SELECT ${columns.map((column) => `${localized(column)} AS ${column}`).join(', ')} FROM public.${table} l WHERE l._parent_id = ${key}`

const range = (column: string): string =>
  `jsonb_build_object('minimum', s.resources_${column}_minimum::int, 'maximum', s.resources_${column}_maximum::int,
    'step', s.resources_${column}_step::int, 'unitPriceFt', s.resources_${column}_unit_price_ft::int)`

/** All four numbers of a range are there, or the range does not exist. */
const complete = (column: string): string =>
  ['minimum', 'maximum', 'step', 'unit_price_ft'].map((part) => `s.resources_${column}_${part} IS NOT NULL`).join(' AND ')

const resources = ['cpu_percent', 'ram_mi_b', 'storage_mi_b']

const picture = (column: string): string =>
  `(SELECT '/api/cms/media/file/' || m.filename FROM public.media m WHERE m.id = s.${column})`

const rules = `
  ALTER TABLE public.users ADD CONSTRAINT users_username_small CHECK (username = lower(username));
  ALTER TABLE public.users ADD CONSTRAINT users_email_small CHECK (email = lower(email));
  ALTER TABLE public.users ADD CONSTRAINT users_identifier_form CHECK (identifier ~ '^[acdefghjkmnpqrtuvwxy34679]{8}$');
  ALTER TABLE public.users ALTER COLUMN identifier SET NOT NULL;
`

/** What was written once stays as staff left it. */
const seeds = `
  CREATE TABLE cms_api.seeds (name text PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now());
`

const people = `
  CREATE VIEW cms_api.people AS
  SELECT u.id, u.username, u.identifier, u.email, u.verified, u.language::text AS language,
    u.invoice_type::text AS invoice_type,
    coalesce(g.is_admin, false) AS is_admin, coalesce(g.is_support, false) AS is_support
  FROM public.users u
  LEFT JOIN LATERAL (
    SELECT bool_or(r.is_admin) AS is_admin, bool_or(r.is_support) AS is_support
    FROM public.users_rels ur JOIN public.roles r ON r.id = ur.roles_id
    WHERE ur.parent_id = u.id AND ur.path = 'role' AND r.active
  ) g ON true;
  CREATE VIEW cms_api.roles AS
  SELECT id, slug, name, coalesce(is_admin, false) AS is_admin, coalesce(is_support, false) AS is_support, active,
    coalesce(two_factor_required, false) AS two_factor_required
  FROM public.roles;
`

const catalog = `
  CREATE VIEW cms_api.packages AS
  SELECT p.id, p.service_id, l.name, l.description, p.price_per_month_ft::int AS price_per_month_ft,
    p.cpu_percent::int AS cpu_percent, p.ram_mi_b::int AS memory_mib, p.storage_mi_b::int AS storage_mib,
    p.orderable, p.highlighted
  FROM public.packages p
  CROSS JOIN LATERAL (${localizedFrom('packages_locales', ['name', 'description'], 'p.id')}) l;
  CREATE VIEW cms_api.services AS
  SELECT s.id, s.slug, l.name, l.description, s.category::text AS category, s.server_template_id,
    ARRAY(SELECT r.computers_id FROM public.services_rels r
      WHERE r.parent_id = s.id AND r.path = 'machine' AND r.computers_id IS NOT NULL ORDER BY r."order") AS machine_ids,
    ${picture('banner_id')} AS banner, ${picture('icon_id')} AS icon,
    s.orderable, s.highlighted, s.position::int AS position,
    s.points_points_count::int AS points_count, s.points_minimum_point::int AS minimum_point,
    s.points_price_per_point_ft::int AS price_per_point_ft,
    CASE WHEN ${resources.map(complete).join(' AND ')}
      THEN jsonb_build_object('cpuPercent', ${range('cpu_percent')}, 'ramMiB', ${range('ram_mi_b')}, 'storageMiB', ${range('storage_mi_b')})
    END AS resources,
    coalesce((SELECT jsonb_agg(jsonb_build_object('name', o.name, 'templateId', o.template_id) ORDER BY o._order)
      FROM public.services_operating_systems o WHERE o._parent_id = s.id), '[]'::jsonb) AS operating_systems,
    coalesce((SELECT min(p.price_per_month_ft) FROM public.packages p WHERE p.service_id = s.id AND p.orderable),
      s.points_minimum_point * s.points_price_per_point_ft)::int AS starting_price_ft
  FROM public.services s
  CROSS JOIN LATERAL (${localizedFrom('services_locales', ['name', 'description'], 's.id')}) l;
`

const argv = (table: string, parent: string): string =>
  `(SELECT array_agg(a.value::text ORDER BY a._order) FROM public.${table} a WHERE a._parent_id = ${parent})`

const machines = `
  CREATE VIEW cms_api.templates AS
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
        'environmentVariable', v.environment_variable, 'editable', v.editable) ORDER BY v._order)
      FROM public.templates_variables v
      CROSS JOIN LATERAL (${localizedFrom('templates_variables_locales', ['name'], 'v.id')}) n
      WHERE v._parent_id = t.id), '[]'::jsonb) AS variables
  FROM public.templates t
  CROSS JOIN LATERAL (${localizedFrom('templates_locales', ['description'], 't.id')}) l;
  CREATE VIEW cms_api.computers AS
  SELECT id, name, ip, url, proxmox_url, available_memory_mi_b::int AS available_memory_mib,
    storage_mi_b::int AS storage_mib, cores::int AS cores, start_port::int AS start_port,
    port_count::int AS port_count, orderable
  FROM public.computers;
`

const settings = `
  CREATE VIEW cms_api.settings AS
  SELECT coalesce(s.host_name, 'Bakter') AS host_name,
    coalesce(s.kill_switches_ordering, true) AS ordering, coalesce(s.kill_switches_tickets, true) AS tickets,
    coalesce(s.kill_switches_server_start, true) AS server_start,
    coalesce(s.kill_switches_coupon_use, true) AS coupon_use,
    coalesce(s.kill_switches_registration, true) AS registration,
    s.smtp_host, s.smtp_port::int AS smtp_port, s.smtp_username, s.smtp_password AS smtp_password_sealed,
    s.smtp_from, s.smtp_name
  FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT * FROM public.settings ORDER BY created_at LIMIT 1) s ON true;
`

/** The views are the contract of src/contracts/cms-api/rows.ts: a changed column is a new migration there and here. */
export async function up({ db }: MigrateUpArgs): Promise<void> {
  for (const text of [rules, 'CREATE SCHEMA cms_api;', seeds, people, catalog, machines, settings]) {
    await db.execute(sql.raw(text))
  }
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(
    sql.raw(`
    DROP SCHEMA cms_api CASCADE;
    ALTER TABLE public.users ALTER COLUMN identifier DROP NOT NULL;
    ALTER TABLE public.users DROP CONSTRAINT users_identifier_form;
    ALTER TABLE public.users DROP CONSTRAINT users_email_small;
    ALTER TABLE public.users DROP CONSTRAINT users_username_small;`),
  )
}
