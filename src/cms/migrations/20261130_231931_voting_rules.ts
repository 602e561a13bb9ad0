import { type MigrateDownArgs, type MigrateUpArgs, sql } from '@payloadcms/db-postgres'

/**
 * Rows that are there already have no openings: the columns are new, or an earlier `down` removed them. The active one goes on, so that
 * its votes count as before; others are opened again by the next save that activates them.
 */
const OPENED_BEFORE = `
  ALTER TABLE public.votings ADD COLUMN opened_at timestamptz, ADD COLUMN closed_at timestamptz;
  UPDATE public.votings SET opened_at = created_at WHERE id = (
    SELECT id FROM public.votings WHERE active
    ORDER BY (ends_at IS NULL OR ends_at > now()) DESC, created_at DESC, id DESC LIMIT 1);
`

/**
 * The database notes when a voting began to run and when staff closed it, whoever writes the row: nobody can give it another time. A
 * voting runs from then until its end, so an end that has passed blocks no other voting and needs no job. While somebody opens one,
 * others are refused immediately: two at once would wait for each other's row, and PostgreSQL would end one of them as a deadlock. A
 * closed voting keeps the moment of its end, whatever end staff write into it afterwards.
 */
const OPENING = `
  CREATE FUNCTION cms_api.note_voting() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    ran boolean := false;
    moment timestamptz;
  BEGIN
    moment := clock_timestamp();
    NEW.opened_at := NULL;
    NEW.closed_at := NULL;
    IF TG_OP = 'UPDATE' THEN
      NEW.opened_at := OLD.opened_at;
      NEW.closed_at := OLD.closed_at;
      ran := OLD.opened_at IS NOT NULL AND OLD.active AND (OLD.ends_at IS NULL OR OLD.ends_at > moment);
      IF OLD.opened_at IS NOT NULL AND OLD.active AND NOT NEW.active THEN
        NEW.closed_at := least(moment, OLD.ends_at, OLD.closed_at);
      END IF;
    END IF;
    IF NOT ran AND NEW.active AND (NEW.ends_at IS NULL OR NEW.ends_at > moment) THEN
      IF NOT pg_try_advisory_xact_lock(hashtextextended('an open voting', 109)) THEN
        RAISE EXCEPTION 'another voting is being opened'
          USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'votings_one_at_a_time';
      END IF;
      NEW.opened_at := moment;
      NEW.closed_at := NULL;
    END IF;
    RETURN NEW;
  END $$;

  CREATE TRIGGER note_voting BEFORE INSERT OR UPDATE ON public.votings
    FOR EACH ROW EXECUTE FUNCTION cms_api.note_voting();
`

const ONE_AT_A_TIME = `
  ALTER TABLE public.votings ADD CONSTRAINT votings_one_at_a_time EXCLUDE USING gist (
    tstzrange(opened_at, CASE WHEN least(ends_at, closed_at) IS NULL THEN NULL ELSE greatest(opened_at, least(ends_at, closed_at)) END)
    WITH &&)
    WHERE (active AND opened_at IS NOT NULL);
`

/** The three languages of a text; a missing one falls back to the content's default, then to any. */
const textsOf = (table: string, column: string, parent: string): string => {
  const of = (locale: string) => `max(l.${column}) FILTER (WHERE l._locale = '${locale}')`
  const text = (locale: string) => `'${locale}', coalesce(${of(locale)}, ${of('hu')}, ${of('en')}, ${of('de')}, '')`
  return `(SELECT jsonb_build_object(${['en', 'hu', 'de'].map(text).join(', ')})
    FROM public.${table} l WHERE l._parent_id = ${parent})`
}

/** Votings that were opened, with the end that has come or will come, and the ids of all: votes go with their voting alone. */
const VIEW = `
  CREATE VIEW cms_api.votings AS
  SELECT v.id, ${textsOf('votings_locales', 'question', 'v.id')} AS question,
    coalesce((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'text', ${textsOf('votings_options_locales', 'text', 'o.id')})
      ORDER BY o._order) FROM public.votings_options o WHERE o._parent_id = v.id), '[]'::jsonb) AS options,
    v.opened_at,
    least(v.ends_at, v.closed_at) AS ends_at
  FROM public.votings v
  WHERE v.opened_at IS NOT NULL;

  CREATE VIEW cms_api.voting_ids AS SELECT id FROM public.votings;
`

export async function up({ db }: MigrateUpArgs): Promise<void> {
  for (const text of [OPENED_BEFORE, OPENING, ONE_AT_A_TIME, VIEW]) await db.execute(sql.raw(text))
}

export async function down({ db }: MigrateDownArgs): Promise<void> {
  await db.execute(sql`
    DROP VIEW cms_api.voting_ids;
    DROP VIEW cms_api.votings;
    ALTER TABLE public.votings DROP CONSTRAINT votings_one_at_a_time;
    DROP TRIGGER note_voting ON public.votings;
    DROP FUNCTION cms_api.note_voting;
    ALTER TABLE public.votings DROP COLUMN opened_at, DROP COLUMN closed_at;`)
}
