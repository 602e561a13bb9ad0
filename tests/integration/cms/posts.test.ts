import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { postText } from '../../../src/cms/seed/content/rich-text.ts'
import { queryAddress, queryAddresses, queryPost, queryPosts } from '../../../src/features/content/posts/read-posts.ts'
import { type CmsHarness, people, startCms } from './cms-harness.ts'

vi.mock('../../../src/identity/dependencies.ts', () => import('./test-identity.ts'))
vi.mock('@/cms/start/payload.ts', () => ({ cms: () => Promise.reject(new Error('not asked')) }))
vi.mock('next/cache', () => ({ unstable_cache: (read: unknown) => read }))

let cms: CmsHarness
const heard: string[] = []

beforeAll(async () => {
  cms = await startCms()
  const client = await cms.payload.db.pool.connect()
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.query('LISTEN bakter_content')
  listener = client
})
let listener: { release: (end: boolean) => void } | undefined

afterAll(async () => {
  listener?.release(true)
  await cms.close()
})

type Made = { doc: { id: string } }
const written = (name: string) => ({
  title: `Title ${name}`,
  slug: name,
  lead: `Lead ${name}`,
  body: postText([{ text: name }]),
})
/** The content of an editor that was opened and left. */
const paragraph = { type: 'paragraph', version: 1, direction: null, format: '', indent: 0, children: [] }
const idOf = (answer: { json: () => unknown }) => (answer.json() as Made).doc.id
const create = async (data: object, query = '?locale=hu') => {
  const answer = await cms.send('administrator', `post /posts${query}`, { kind: 'blog', author: 'Ada', ...data })
  expect(answer.status, answer.text).toBe(201)
  return idOf(answer)
}
const change = async (id: string, data: object, query = '?locale=hu') => {
  const answer = await cms.send('administrator', `patch /posts/${id}${query}`, data)
  expect(answer.status, answer.text).toBe(200)
}
const pool = () => cms.payload.db.pool
let marks = 0
/** Waits until everything that was announced before has been heard: notifications come in the order of their transactions. */
const allHeard = async (): Promise<number> => {
  marks += 1
  const mark = `mark ${marks}`
  await pool().query("SELECT pg_notify('bakter_content', $1)", [mark])
  await vi.waitFor(() => expect(heard).toContain(mark), { timeout: 30_000 })
  return heard.length
}
const announced = async (act: () => Promise<unknown>): Promise<number> => {
  const before = await allHeard()
  await act()
  await allHeard()
  return heard.slice(before).filter((slug) => slug === 'posts').length
}

describe('a draft', () => {
  it('is read by administrators alone: by id, list, count and versions, beside other posts and by its picture', async () => {
    const secret = `secret-${Date.now()}`
    const facts = { ...written(secret), tags: ['support'], picture: cms.documents['media'], _status: 'draft' }
    const shown = await create({ ...written(`shown-${secret.slice(7)}`), tags: ['support'], _status: 'published' })
    const id = await create(facts, '?locale=hu&draft=true')
    for (const person of people) {
      const seen = []
      for (const route of [
        `get /posts/${id}`,
        `get /posts/${id}?draft=true`,
        `get /posts/${id}?draft=true&locale=all`,
        'get /posts?limit=100&draft=true',
        `get /posts?where[slug][equals]=${secret}&locale=hu`,
        `get /posts/versions?limit=100`,
      ])
        if ((await cms.send(person, route)).text.includes(`Title ${secret}`)) seen.push(route)
      expect({ [person]: seen.length > 0 }).toEqual({ [person]: person === 'administrator' })
    }
    for (const person of ['anonymous', 'customer'] as const) {
      const counted = await cms.send(person, `get /posts/count?where[slug][equals]=${secret}&locale=hu`)
      expect(counted.json()).toEqual({ totalDocs: 0 })
      expect((await cms.send(person, 'get /media')).status).toBe(403)
    }
    const beside = await queryPost(pool(), 'hu', shown)
    expect([beside?.related, beside?.newer]).toEqual([[], null])
    expect(await queryAddress(pool(), 'hu', secret)).toBeNull()
    expect(await queryAddress(pool(), 'hu', id)).toBeNull()
    expect(await queryPost(pool(), 'hu', id)).toBeNull()
    expect(
      JSON.stringify([await queryPosts(pool(), 'hu', { kind: 'blog', page: 1 }), await queryAddresses(pool())]),
    ).not.toContain(secret)
  })

  it('changes nothing that is published when its post is out already, and is not announced', async () => {
    const id = await create({ ...written('standing'), _status: 'published' })
    expect(await announced(() => change(id, { title: 'Secret', _status: 'draft' }, '?locale=hu&draft=true'))).toBe(0)
    expect((await queryPost(pool(), 'hu', id))?.title).toBe('Title standing')
    for (const person of ['anonymous', 'customer', 'support'] as const)
      expect((await cms.send(person, `get /posts/${id}?draft=true&locale=hu`)).text).not.toContain('Secret')
    expect(await announced(() => change(id, { _status: 'published' }))).toBe(1)
    expect((await queryPost(pool(), 'hu', id))?.title).toBe('Secret')
    // Taken back, also after a draft was saved in between.
    expect(await announced(() => change(id, { title: 'Later', _status: 'draft' }, '?locale=hu&draft=true'))).toBe(0)
    expect(await announced(() => change(id, { _status: 'draft' }))).toBe(1)
    expect(await queryPost(pool(), 'hu', id)).toBeNull()
  })

  it('that is new is not announced, and its deletion neither; those of a published post are', async () => {
    let id = ''
    expect(
      await announced(
        async () => (id = await create({ ...written('quiet'), _status: 'draft' }, '?locale=hu&draft=true')),
      ),
    ).toBe(0)
    expect(await announced(() => cms.send('administrator', `delete /posts/${id}`))).toBe(0)
    expect(await announced(async () => (id = await create({ ...written('loud'), _status: 'published' })))).toBe(1)
    expect(await announced(() => cms.send('administrator', `delete /posts/${id}`))).toBe(1)
  })

  it('is restored from its versions by an administrator alone', async () => {
    const id = await create({ ...written('versioned'), _status: 'published' })
    await change(id, { title: 'Second title', _status: 'published' })
    const { docs } = await cms.payload.findVersions({
      collection: 'posts',
      where: { parent: { equals: id } },
      sort: 'createdAt',
      locale: 'hu',
    })
    const first = docs[0]?.id
    for (const person of ['anonymous', 'customer', 'support'] as const)
      expect((await cms.send(person, `post /posts/versions/${first}`, {})).status).toBe(403)
    expect((await queryPost(pool(), 'hu', id))?.title).toBe('Second title')
    expect((await cms.send('administrator', `post /posts/versions/${first}`, {})).status).toBe(200)
    expect((await queryPost(pool(), 'hu', id))?.title).toBe('Title versioned')
  })
})

describe('the date of a post', () => {
  const day = '2030-01-02T12:00:00.000Z'

  it('is not in the future once the post is published: the refusal is in the language of the admin', async () => {
    const id = await create({ ...written('later'), publishedAt: day, _status: 'draft' }, '?locale=hu&draft=true')
    const said = {
      en: 'This date is in the future',
      hu: 'Ez a dátum a jövőben van',
      de: 'Dieses Datum liegt in der Zukunft',
    }
    for (const [language, text] of Object.entries(said)) {
      const person = { person: 'administrator', language } as const
      const answer = await cms.send(person, `patch /posts/${id}?locale=hu`, { _status: 'published' })
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(text)])
    }
    expect(await queryPost(pool(), 'hu', id)).toBeNull()
    await change(id, { publishedAt: '2026-01-02T12:00:00.000Z', _status: 'published' })
    expect((await queryPost(pool(), 'hu', id))?.publishedAt).toBe('2026-01-02T12:00:00.000Z')
  })

  it('stays when a version from before the first publication is restored and published', async () => {
    const id = await create({ ...written('restored'), _status: 'draft' }, '?locale=hu&draft=true')
    const { docs } = await cms.payload.findVersions({ collection: 'posts', where: { parent: { equals: id } } })
    const first = docs[0]?.id
    await change(id, { publishedAt: '2026-01-02T12:00:00.000Z', _status: 'published' })
    // The restored version is a draft, so the post is taken back.
    expect(
      await announced(async () =>
        expect((await cms.send('administrator', `post /posts/versions/${first}`, {})).status).toBe(200),
      ),
    ).toBe(1)
    expect(await queryPost(pool(), 'hu', id)).toBeNull()
    await change(id, { _status: 'published' })
    expect((await queryPost(pool(), 'hu', id))?.publishedAt).toBe('2026-01-02T12:00:00.000Z')
  })
})

describe('a language', () => {
  it('is not written while its text is an editor that was left empty', async () => {
    const id = await create({ ...written('half'), _status: 'draft' }, '?locale=hu&draft=true')
    const empty = { ...written('half-english'), body: { root: { ...postText([]).root, children: [paragraph] } } }
    await change(id, { ...empty, _status: 'draft' }, '?locale=en&draft=true')
    await change(id, { _status: 'published' })
    expect((await queryPost(pool(), 'hu', id))?.slugs).toEqual({ hu: 'half' })
    expect(await queryAddress(pool(), 'en', 'half-english')).toBeNull()
    await change(id, { ...written('half-english'), _status: 'published' }, '?locale=en')
    expect((await queryPost(pool(), 'hu', id))?.slugs).toEqual({ hu: 'half', en: 'half-english' })
  })

  it('with a title that makes no name in the address is not published without one', async () => {
    const { slug: _slug, ...untitled } = written('x')
    const id = await create({ ...untitled, title: '東京', _status: 'draft' }, '?locale=hu&draft=true')
    const answer = await cms.send({ person: 'administrator', language: 'hu' }, `patch /posts/${id}?locale=hu`, {
      _status: 'published',
    })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Ebből a címből nem lesz név')])
    await change(id, { slug: 'tokio', _status: 'published' })
    expect(await queryAddress(pool(), 'hu', 'tokio')).toEqual({ id, slug: 'tokio' })
  })

  it('is published alone where an editor chooses that, and drafts of the others stay drafts', async () => {
    const id = await create({ ...written('alone'), _status: 'published' })
    await change(id, { title: 'Secret draft', _status: 'draft' }, '?locale=hu&draft=true')
    await change(id, { ...written('alone-english'), _status: 'published' }, '?locale=en&publishSpecificLocale=en')
    expect((await queryPost(pool(), 'en', id))?.title).toBe('Title alone-english')
    expect((await queryPost(pool(), 'hu', id))?.title).toBe('Title alone')
  })
})

describe('the address of a post', () => {
  it('is made from the title, and two posts cannot have one in the same language', async () => {
    const { slug: _slug, ...untitled } = written('x')
    const id = await create({ ...untitled, title: 'Őszi óraátállítás: mi lesz?', _status: 'published' })
    expect(await queryAddress(pool(), 'hu', 'oszi-oraatallitas-mi-lesz')).toEqual({
      id,
      slug: 'oszi-oraatallitas-mi-lesz',
    })
    const again = await cms.send('administrator', 'post /posts?locale=hu', {
      ...written('oszi-oraatallitas-mi-lesz'),
      kind: 'blog',
      author: 'Ada',
      _status: 'published',
    })
    expect(again.status).toBe(400)
    await expect(
      pool().query(`INSERT INTO posts_locales (_parent_id, _locale, slug) SELECT id, 'en', 'taken' FROM posts LIMIT 2`),
    ).rejects.toMatchObject({ code: '23505' })
    // Another language is another address.
    const other = await create({ ...written('oszi-oraatallitas-mi-lesz'), _status: 'published' }, '?locale=en')
    expect((await queryAddress(pool(), 'en', 'oszi-oraatallitas-mi-lesz'))?.id).toBe(other)
    for (const slug of ['A b', 'a/b', '01890a5d-ac96-774b-bcce-b302099a8057'])
      expect(
        (await cms.send('administrator', `patch /posts/${id}?locale=hu`, { slug, _status: 'published' })).status,
      ).toBe(400)
  })

  it('leads to the present one when it is an earlier one, the id or that of another language', async () => {
    const id = await create({ ...written('first-name'), _status: 'published' })
    await change(id, { ...written('german-name'), _status: 'published' }, '?locale=de')
    await change(id, { slug: 'second-name', _status: 'published' })
    for (const name of ['first-name', 'second-name', 'german-name', id])
      expect(await queryAddress(pool(), 'hu', name), name).toEqual({ id, slug: 'second-name' })
    expect(await queryAddress(pool(), 'de', 'first-name')).toEqual({ id, slug: 'german-name' })
    // It is not written in English.
    for (const name of ['first-name', 'german-name', id]) expect(await queryAddress(pool(), 'en', name)).toBeNull()
    // The post that has a name today comes before those that had it.
    const heir = await create({ ...written('first-name'), _status: 'published' })
    expect(await queryAddress(pool(), 'hu', 'first-name')).toEqual({ id: heir, slug: 'first-name' })
    await cms.send('administrator', `delete /posts/${id}`)
    expect(await queryAddress(pool(), 'hu', 'second-name')).toBeNull()
  })

  it.each(['', 'a b', "'; drop table posts", 'feed.xml', '\u0000', 'no-such-post'])('%j is none', async (name) => {
    expect(await queryAddress(pool(), 'hu', name)).toBeNull()
  })
})

describe('published posts', () => {
  it('are listed by kind and tag in their language, and know their neighbours and relatives', async () => {
    const on = (day: string, data: object) =>
      create({ ...data, publishedAt: `2020-01-${day}T12:00:00.000Z`, _status: 'published' })
    const oldest = await on('01', { ...written('oldest'), tags: ['worlds'], kind: 'change' })
    const middle = await on('02', { ...written('middle'), tags: ['worlds', 'plugins'], kind: 'change' })
    const newest = await on('03', { ...written('newest'), tags: ['plugins'], kind: 'change' })
    const found = await queryPosts(pool(), 'hu', { kind: 'change', page: 1, limit: 2 })
    expect({ ids: found.posts.map(({ id }) => id), pages: found.pages }).toEqual({ ids: [newest, middle], pages: 2 })
    expect((await queryPosts(pool(), 'hu', { kind: 'change', page: 2, limit: 2 })).posts.map(({ id }) => id)).toEqual([
      oldest,
    ])
    expect(
      (await queryPosts(pool(), 'hu', { kind: 'change', tag: 'worlds', page: 1 })).posts.map(({ id }) => id),
    ).toEqual([middle, oldest])
    expect((await queryPosts(pool(), 'en', { kind: 'change', page: 1 })).posts).toEqual([])
    const post = await queryPost(pool(), 'hu', middle)
    expect([post?.older?.slug, post?.newer?.slug, post?.slugs]).toEqual(['oldest', 'newest', { hu: 'middle' }])
    expect(post?.related.map(({ slug }) => slug)).toEqual(['newest', 'oldest'])
    expect(post?.publishedAt).toBe('2020-01-02T12:00:00.000Z')
  })

  it('have no link to a document of the CMS: readers could not follow it', async () => {
    const id = await create({ ...written('linked'), _status: 'published' })
    const body = (fields: object) =>
      JSON.parse(
        JSON.stringify(postText([{ text: '[word](/x)' }])).replace(
          /"fields":\{[^}]*\}/,
          `"fields":${JSON.stringify(fields)}`,
        ),
      ) as object
    const save = (fields: object) =>
      cms.send('administrator', `patch /posts/${id}?locale=hu`, { body: body(fields), _status: 'published' })
    const internal = { linkType: 'internal', newTab: false, doc: { relationTo: 'posts', value: id } }
    expect((await save(internal)).status).toBe(400)
    expect((await save({ linkType: 'custom', newTab: false, url: '/blog' })).status).toBe(200)
  })

  it('have the day of their first publication, and pictures with their description', async () => {
    const picture = cms.documents['media'] ?? ''
    const { root } = postText([{ text: 'a' }])
    const upload = {
      type: 'upload',
      version: 3,
      format: '',
      fields: null,
      relationTo: 'media',
      value: picture,
      id: 'a',
    }
    const body = { root: { ...root, children: [...root.children, upload] } }
    const id = await create({ ...written('pictured'), body, picture, _status: 'published' })
    const post = await queryPost(pool(), 'hu', id)
    expect([post?.picture, ...(post?.pictures ?? [])].map((one) => [one?.path, one?.alt])).toEqual([
      ['/api/cms/media/file/sample.png', 'Sample'],
      ['/api/cms/media/file/sample.png', 'Sample'],
    ])
    // The picture is described in Hungarian alone, which readers of other languages are told.
    await change(id, { ...written('pictured-english'), body, _status: 'published' }, '?locale=en')
    const inEnglish = await queryPost(pool(), 'en', id)
    expect([inEnglish?.picture, ...(inEnglish?.pictures ?? [])].map((one) => [one?.alt, one?.altLanguage])).toEqual([
      ['Sample', 'hu'],
      ['Sample', 'hu'],
    ])
    expect([post?.picture?.altLanguage, post?.pictures[0]?.altLanguage]).toEqual([null, null])
    const before = post?.publishedAt
    await change(id, { title: 'Changed', _status: 'published' })
    expect((await queryPost(pool(), 'hu', id))?.publishedAt).toBe(before)
  })
})
