import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TokenAnswer } from '#contracts/http/auth.ts'
import { GUIDE_BOUNDS, GuideList, type GuideLink } from '#contracts/guides/guide-link.ts'
import { systemIds } from '#platform/ids.ts'
import { richText } from '../../../src/cms/seed/content/rich-text.ts'
import { API_SITE, openApiOn } from '../../support/api-on-database.ts'
import { PASSWORD } from '../../support/people.ts'
import { createWholeDatabase } from '../../support/whole-database.ts'

let site: Awaited<ReturnType<typeof openApiOn>>
let headers: Record<string, string>
beforeAll(async () => {
  site = await openApiOn(await createWholeDatabase(), () => ({ status: 503, body: {} }))
  headers = await signUp('guided')
})
afterAll(() => site.close())
beforeEach(() => site.context.db.query('delete from public.guides', []))

const ask = async (path: string, { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}) => {
  const request = new Request(`${API_SITE}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await site.api(request, { requestId: 'r', address: '10.0.0.1' })
  return { status: response.status, headers: response.headers, json: (await response.json()) as unknown }
}

const signUp = async (username: string) => {
  const person = { username, email: `${username}@example.test`, password: PASSWORD, passwordConfirm: PASSWORD }
  await ask('/api/auth/register', { body: { ...person, acceptTerms: true } })
  const { json } = await ask('/api/auth/login', { body: { username, password: PASSWORD } })
  return { authorization: `Bearer ${TokenAnswer.parse(json).access_token}` }
}

type Text = { title: string; summary?: string; text?: string; words?: string }
type Guide = { slug: string; published?: boolean; position?: number; topic?: string } & Partial<
  Record<'en' | 'hu' | 'de', Text>
>
const write = async ({ slug, published = true, position = 10, topic = 'servers', ...languages }: Guide) => {
  const id = systemIds.next()
  const { db } = site.context
  await db.query('insert into public.guides (id, slug, topic, position, published) values ($1, $2, $3, $4, $5)', [
    id,
    slug,
    topic,
    position,
    published,
  ])
  for (const [language, { title, summary = 'In short.', text = 'Nothing more.', words = null }] of Object.entries(
    languages as Record<string, Omit<Text, 'words'> & { words?: string | null }>,
  )) {
    await db.query(
      `insert into public.guides_locales (title, summary, body, words, _locale, _parent_id) values ($1, $2, $3, $4, $5, $6)`,
      [title, summary, JSON.stringify(richText([{ text }])), words, language, id],
    )
  }
}
/** Guides that have nothing to do with what is looked for, so that words can be rare. */
const writeOthers = async () => {
  for (const [at, word] of ['Umbrella', 'Weather', 'Garden', 'Bicycle', 'Kitchen'].entries())
    await write({ slug: `other-${at}`, en: { title: word }, hu: { title: word }, de: { title: word } })
}

/** Enough of them that three with one word in common are no third of all. */
const writeMore = async () => {
  for (const at of [5, 6, 7, 8]) await write({ slug: `other-${at}`, en: { title: `Thing${at}` } })
}

const match = (text: string, language = 'en') =>
  ask('/api/guides/matching', { body: { text }, headers: { ...headers, 'accept-language': language } })
const read = async (language: string, text?: string): Promise<GuideLink[]> => {
  const inLanguage = { ...headers, 'accept-language': language }
  const answer = await (text === undefined ? ask('/api/guides', { headers: inLanguage }) : match(text, language))
  expect(answer.status).toBe(200)
  return GuideList.parse(answer.json)
}
const slugsOf = async (...asked: Parameters<typeof read>) => (await read(...asked)).map(({ slug }) => slug)

describe('the list', () => {
  it('has the published guides by topic and position, in the language of the reader', async () => {
    await write({ slug: 'late', position: 20, en: { title: 'Late' }, hu: { title: 'Késő' } })
    await write({
      slug: 'early',
      position: 5,
      en: { title: 'Early', summary: 'First of all.' },
      hu: { title: 'Korai' },
    })
    await write({ slug: 'money', topic: 'balance', en: { title: 'Money' }, hu: { title: 'Pénz' } })
    await write({ slug: 'draft', published: false, en: { title: 'Draft' }, hu: { title: 'Piszkozat' } })
    expect(await read('en')).toEqual([
      { slug: 'money', topic: 'balance', title: 'Money', summary: 'In short.' },
      { slug: 'early', topic: 'servers', title: 'Early', summary: 'First of all.' },
      { slug: 'late', topic: 'servers', title: 'Late', summary: 'In short.' },
    ])
    // Nobody has written it in German, so it is there in the language of the content.
    expect((await read('de')).map(({ title }) => title)).toEqual(['Pénz', 'Korai', 'Késő'])
  })

  it('is empty without guides, and refused after the end of the session', async () => {
    const leaving = { headers: await signUp('leaving') }
    const answer = await ask('/api/guides', leaving)
    expect([answer.status, answer.json, answer.headers.get('age')]).toEqual([200, [], null])
    await ask('/api/auth/logout', { ...leaving, body: {} })
    expect((await ask('/api/guides', leaving)).status).toBe(401)
    expect((await ask('/api/guides')).status).toBe(401)
    for (const gone of [leaving.headers, {}])
      expect((await ask('/api/guides/matching', { body: { text: 'server' }, headers: gone })).status).toBe(401)
  })
})

describe('typed words', () => {
  it.each([
    ['hu', 'Betelt a tárhely', 'betelt a tarhelyem'],
    ['hu', 'Betelt a tárhely', 'TÁRHELY'],
    ['hu', 'Szerverek megosztása', 'megoszt'],
    ['hu', 'Számlák letöltése', 'nem találom a számlát'],
    ['en', 'Invoices and receipts', 'where is my invoice'],
    ['en', 'Invoices and receipts', 'receip'],
    ['en', 'Crashed servers', 'it is crashing again'],
    ['de', 'Häuser und Schlüssel', 'hauser'],
    ['de', 'Häuser und Schlüssel', 'mein Schlüssel fehlt'],
    ['de', 'Привет мир', 'ПРИВЕТ'],
  ])('in %s finds %j by %j', async (language, title, typed) => {
    await writeOthers()
    await write({ slug: 'meant', [language]: { title } })
    expect(await slugsOf(language, typed)).toEqual(['meant'])
  })

  it('are taken in a body alone: an address is kept by proxies, browsers and logs', async () => {
    await write({ slug: 'meant', en: { title: 'Telescope' } })
    const { status, json } = await ask('/api/guides?text=telescope', { headers })
    expect([status, JSON.stringify(json).includes('telescope')]).toEqual([400, false])
    const { status: foreign } = await ask('/api/guides/matching', {
      body: { text: 'telescope' },
      headers: { ...headers, origin: 'https://elsewhere.test' },
    })
    expect(foreign).toBe(403)
  })

  it('finds added words, and two words of the text but not one', async () => {
    await writeOthers()
    await write({
      slug: 'meant',
      en: { title: 'Ends', text: 'The marmot sleeps below the mountain', words: 'hibernate 2fa' },
    })
    expect(await slugsOf('en', 'how to hibernate')).toEqual(['meant'])
    expect(await slugsOf('en', 'lost 2fa')).toEqual(['meant'])
    expect(await slugsOf('en', 'marmots on mountains')).toEqual(['meant'])
    expect(await slugsOf('en', 'a marmot')).toEqual([])
  })

  it('a guide can be saved with any content', async () => {
    await write({
      slug: 'strange',
      en: {
        title: '\u0301',
        summary: "'\\'",
        text: `${'한'.repeat(3_000)} ${'word '.repeat(60_000)}`,
        words: '\u0301\u0301 %',
      },
    })
    expect(await slugsOf('en')).toEqual(['strange'])
  })

  it('never finds a guide that is not published, or one by another language', async () => {
    await writeOthers()
    await write({ slug: 'draft', published: false, en: { title: 'Telescope' } })
    await write({ slug: 'both', en: { title: 'Lighthouse' }, hu: { title: 'Világítótorony' } })
    expect(await slugsOf('en', 'telescope')).toEqual([])
    expect(await slugsOf('en', 'világítótorony')).toEqual([])
    expect(await slugsOf('hu', 'világítótorony')).toEqual(['both'])
  })

  it('gives three at most, the title before the text', async () => {
    await writeOthers()
    await writeMore()
    for (const at of [1, 2, 3]) await write({ slug: `text-${at}`, en: { title: `Number ${at}`, text: 'lantern wick' } })
    await write({ slug: 'title', en: { title: 'Lantern and wick' } })
    const found = await slugsOf('en', 'lantern wick')
    expect([found[0], found.length]).toEqual(['title', 1])
    expect(await slugsOf('en', 'number')).toHaveLength(3)
  })

  it.each(['%', "'", '"', '\\', "' | ''):* & (", '<->', '!!', 'a', '   ', '\u202e', '…„”', '×÷', ':*', '\u0301\u0301'])(
    '%j is inert',
    async (typed) => {
      await writeOthers()
      expect(await slugsOf('en', typed)).toEqual([])
    },
  )

  it('is bounded, whatever its length, its script and the number of its words', async () => {
    await writeOthers()
    const long = 'ж漢é '.repeat(200).slice(0, GUIDE_BOUNDS.searched)
    expect(await slugsOf('en', long)).toEqual([])
    expect(await slugsOf('en', '한'.repeat(GUIDE_BOUNDS.searched))).toEqual([])
    const many = Array.from({ length: 180 }, (_, at) => at + 10)
      .join(' ')
      .slice(0, GUIDE_BOUNDS.searched)
    expect(await slugsOf('en', many)).toEqual([])
    for (const refused of ['x'.repeat(10_000), 'nul\0']) {
      expect((await match(refused)).status).toBe(400)
    }
  })
})
