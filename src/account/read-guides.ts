import type { GuideLink } from '#contracts/guides/guide-link.ts'
import { GUIDE_BOUNDS } from '#contracts/guides/guide-link.ts'
import type { Locale } from '#contracts/locale.ts'
import { matchingGuides } from '#domain/guides/matching-guides.ts'
import { ofLivingSession, readOfSession } from './session-read.ts'
import type { SessionAnswer, SessionReader } from './session-read.ts'

type GuideRow = GuideLink & { readonly named: readonly number[]; readonly written: readonly number[] }
type Row = GuideRow | { readonly slug: null }

/** The language of content that has no text in the reader's, as in the CMS. */
const FALLBACK: Locale = 'hu'
const WORDS = 80
/** PostgreSQL's dictionaries: what they take for a stop word is not looked for. */
const DICTIONARIES: Readonly<Record<Locale, string>> = { en: 'english', hu: 'hungarian', de: 'german' }

/**
 * Published guides with the places of the typed words that each contains. A word matches in the forms of the reader's
 * language, and the last one may be unfinished. Signs that are no part of a word are dropped before anything becomes a
 * query.
 */
const READ = ofLivingSession('account guides', {
  columns: 'guide.*',
  joins: `left join lateral (
    with words as materialized (
      select min(w.at) as at, w.word, bool_or(w.at = w.last) as is_last
      from (select s.word, s.at, max(s.at) over () as last from unnest(regexp_split_to_array(lower(normalize($5, NFC)),
        '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+'))
        with ordinality s (word, at) where s.word <> '') w
      where length(w.word) between 2 and 60 and to_tsvector($6::regconfig, w.word) <> ''
      group by w.word order by 1 limit ${WORDS}
    ), typed as materialized (
      select w.at, array_to_string(array(
        select '''' || f.form || '''' || case when w.is_last and length(w.word) > 2 then ':*' else '' end
        from unnest(tsvector_to_array(cms_api.guide_words($4::public._locales, w.word))) f (form)), '|')::tsquery as query
      from words w
    )
    select g.slug, g.topic::text as topic, l.title, l.summary, g.position::int as position, g.id,
      array(select t.at::int from typed t where l.named @@ t.query) as named,
      array(select t.at::int from typed t where l.written @@ t.query) as written
    from public.guides g cross join lateral (
      select o.* from public.guides_locales o where o._parent_id = g.id and o._locale in ($4::public._locales, '${FALLBACK}')
      order by o._locale = $4::public._locales desc limit 1) l
    where g.published order by g.topic, g.position, g.id limit ${GUIDE_BOUNDS.guides}
  ) guide on true`,
  order: 'order by guide.topic, guide.position, guide.id',
})

/** Reads all guides in the order of their pages, or those that match a text, best first. */
export const readGuides = async (
  reader: SessionReader,
  { text, locale }: { text: string | undefined; locale: Locale },
): Promise<SessionAnswer<GuideLink[]>> => {
  const answer = await readOfSession<Row>(reader, READ, [locale, text ?? '', DICTIONARIES[locale]])
  if (answer === null) return null
  const guides = answer.rows.filter((row): row is GuideRow => row.slug !== null)
  const shown = text === undefined ? guides : matchingGuides(guides)
  return {
    body: shown.map(({ slug, topic, title, summary }) => ({ slug, topic, title, summary })),
    freshness: answer.freshness,
  }
}
