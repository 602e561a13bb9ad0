import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Locale } from '../../../../../../../../src/i18n/locales.ts'

const state = vi.hoisted(() => ({ pages: 3, asked: [] as number[] }))
vi.mock('next-intl/server', () => ({
  getTranslations: () => Promise.resolve((key: string, values?: object) => `${key} ${JSON.stringify(values ?? {})}`),
  setRequestLocale: () => undefined,
}))
vi.mock('../../../../../../../../src/features/content/queries.ts', () => ({ siteContent: () => Promise.resolve({}) }))
vi.mock('../../../../../../../../src/features/content/posts/read-posts.ts', () => ({
  postPage: (_locale: Locale, { page }: { page: number }) => {
    state.asked.push(page)
    return Promise.resolve({ posts: [], pages: state.pages })
  },
}))
const { default: Page, generateMetadata } =
  await import('../../../../../../../../src/app/[locale]/(site)/blog/page/[number]/page.tsx')

const ask = (number: string) => ({ params: Promise.resolve({ locale: 'hu' as const, number }) })
type Shown = { readonly type: { readonly name: string }; readonly props: Record<string, unknown> }
const shown = async (number: string) => (await Page(ask(number))) as unknown as Shown
beforeEach(() => {
  state.asked = []
})

describe('a numbered page of the blog', () => {
  it('that exists has its own address in one language, and the language switch leads to the newest posts', async () => {
    const { type, props } = await shown('2')
    expect([type.name, props['page'], props['path']]).toEqual(['BlogPage', 2, '/blog/page/2'])
    expect(props['languages']).toEqual({ en: '/en/blog', hu: '/hu/blog', de: '/de/blog' })
    const { alternates } = await generateMetadata(ask('2'))
    expect(Object.keys(alternates?.languages ?? {})).toEqual(['hu'])
    expect(String(alternates?.canonical)).toContain('/hu/blog/page/2')
  })

  it('with the number one is the blog itself, for good', async () => {
    await expect(Page(ask('1'))).rejects.toMatchObject({ digest: expect.stringContaining('/hu/blog;308') as string })
  })

  it.each(['4', '99999', '0', '-1', 'x', '1e3', '02'])('%j is none, and nothing is kept for it', async (number) => {
    expect((await shown(number)).type.name).toBe('NotFoundView')
    expect(await generateMetadata(ask(number))).toMatchObject({ robots: { index: false } })
    expect(state.asked.filter((page) => page !== 1)).toEqual([])
  })
})
