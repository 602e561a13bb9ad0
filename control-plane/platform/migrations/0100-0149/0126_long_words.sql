-- As before, for every text: a form that no vector can hold is left out. Signs of some languages are several code points without their accents,
-- so that a word which fits becomes too long, and one of accents alone becomes nothing. Both failed, and with them the message.
create or replace function control.words_of(p_text text) returns tsvector language sql immutable strict parallel safe as $$
  select coalesce(array_to_tsvector(array_agg(distinct f.form)), '') from (
    select regexp_replace(normalize(w.form, NFD), '[\u0300-\u036f]', '', 'g') as form
    from (select regexp_replace(lower(normalize(p_text, NFC)),
        '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g') as words) t,
      unnest(tsvector_to_array(to_tsvector('pg_catalog.simple', t.words) || to_tsvector('pg_catalog.hungarian', t.words)
        || to_tsvector('pg_catalog.english', t.words) || to_tsvector('pg_catalog.german', t.words))) w (form)) f
  where f.form <> '' and octet_length(f.form) <= 2000
$$;
