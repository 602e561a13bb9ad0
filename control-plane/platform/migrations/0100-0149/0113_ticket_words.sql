-- The words of tickets, to be found by. Customers write in three languages and often without accents, so a word is kept as it stands and as
-- each language's stem, all of them in lower case and without accents. What is not a letter, a digit or a mark of one parts words.
create function control.folded(p_text text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(p_text, NFD), '[\u0300-\u036f]', '', 'g'))
$$;

create function control.split_words(p_text text) returns setof text language sql immutable strict parallel safe as $$
  select left(w.word, 64) from regexp_split_to_table(
    lower(normalize(p_text, NFC)), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+') w (word)
  where w.word <> ''
$$;

-- All forms of a word under which it is kept and looked for.
create function control.word_forms(p_word text) returns text[] language sql immutable strict parallel safe as $$
  select array(select distinct control.folded(f.form) from unnest(array[p_word]
      || pg_catalog.ts_lexize('pg_catalog.hungarian_stem', p_word)
      || pg_catalog.ts_lexize('pg_catalog.english_stem', p_word)
      || pg_catalog.ts_lexize('pg_catalog.german_stem', p_word)) f (form)
    where control.folded(f.form) <> '')
$$;

create function control.words_of(p_text text) returns tsvector language sql immutable strict parallel safe as $$
  select array_to_tsvector(array(
    select distinct f.form from (select distinct w.word from control.split_words(p_text) w (word)) w, unnest(control.word_forms(w.word)) f (form)))
$$;

-- Everything that was typed must be there, in any form; the last word may be unfinished. Null when nothing was typed.
create function control.words_query(p_text text) returns tsquery language sql immutable strict parallel safe as $$
  select string_agg('(' || array_to_string(array(
      select '''' || f.form || '''' from unnest(control.word_forms(w.word)) f (form)
      union all select '''' || control.folded(w.word) || ''':*' where w.at = w.words and length(w.word) > 1), '|') || ')', '&')::tsquery
  from (select s.word, s.at, count(*) over () as words from control.split_words(p_text) with ordinality s (word, at)) w
  where control.folded(w.word) <> ''
$$;

alter table control.tickets add column words tsvector not null
  generated always as (control.words_of(identifier || ' ' || title)) stored;
alter table control.ticket_messages add column words tsvector not null generated always as (control.words_of(text)) stored;
create index tickets_words on control.tickets using gin (words);
create index ticket_messages_words on control.ticket_messages using gin (words) where kind <> 'event';

-- The reply time of 30 days is read from the index alone.
drop index control.tickets_first_reply;
create index tickets_first_reply on control.tickets (first_reply_at) include (category_id, created_at) where first_reply_at is not null;
