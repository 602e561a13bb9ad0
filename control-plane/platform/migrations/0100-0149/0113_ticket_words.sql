-- The words of tickets, to be found by. Customers write in three languages and often without accents, so a word is kept as it stands and as
-- each language's stem, all of them in lower case and without accents. What is not a letter, a digit or a mark of one parts words.
create function control.folded(p_text text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(p_text, NFD), '[\u0300-\u036f]', '', 'g'))
$$;

-- The words of a text in all forms under which they are kept and looked for. Each language also leaves out its own stop words, and the
-- first vector keeps them.
create function control.words_of(p_text text) returns tsvector language sql immutable strict parallel safe as $$
  select regexp_replace(normalize(strip(to_tsvector('pg_catalog.simple', t.words) || to_tsvector('pg_catalog.hungarian', t.words)
      || to_tsvector('pg_catalog.english', t.words) || to_tsvector('pg_catalog.german', t.words))::text, NFD), '[\u0300-\u036f]', '', 'g')::tsvector
  from (select regexp_replace(lower(normalize(p_text, NFC)),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g') as words) t
$$;

-- Everything that was typed must be there, in any form; the last word may be unfinished. Null when nothing was typed.
create function control.words_query(p_text text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg('(' || array_to_string(array(
      select '''' || f.form || '''' from unnest(tsvector_to_array(control.words_of(w.word))) f (form)
      union all select '''' || control.folded(w.word) || ''':*' where w.at = w.words and length(w.word) > 1), '|') || ')', '&')::tsquery
  from (select s.word, s.at, count(*) over () as words from unnest(regexp_split_to_array(lower(normalize(p_text, NFC)),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+')) with ordinality s (word, at) where s.word <> '') w
$$;

alter table control.tickets add column words tsvector not null
  generated always as (control.words_of(identifier || ' ' || title)) stored;
alter table control.ticket_messages add column words tsvector not null generated always as (control.words_of(text)) stored;
create index tickets_words on control.tickets using gin (words);
create index ticket_messages_words on control.ticket_messages using gin (words) where kind <> 'event';

-- The reply time of 30 days is read from the index alone.
drop index control.tickets_first_reply;
create index tickets_first_reply on control.tickets (first_reply_at) include (category_id, created_at) where first_reply_at is not null;
