import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import type { Post } from '../../../../../src/features/content/posts/post-view.ts'

vi.mock('../../../../../src/features/content/queries.ts', () => ({
  siteContent: () => Promise.resolve({ hostName: 'Bakter' }),
}))
const { PostData } = await import('../../../../../src/features/content/posts/post-data.tsx')

const post = (author: string, title = 'Title') =>
  ({ slug: 'a', title, lead: 'Lead', author, picture: null, drawing: null, metaDescription: null }) as unknown as Post
const markupOf = async (one: Post) => renderToStaticMarkup(await PostData({ locale: 'hu', post: one }))

it.each([
  ['Bakter', 'Organization'],
  ['Ada', 'Person'],
])('the author %s is told to search engines as: %s', async (name, type) => {
  expect(await markupOf(post(name))).toContain(`"author":{"@type":"${type}","name":"${name}"}`)
})

it('no text of a post ends the element in which its data stand', async () => {
  const markup = await markupOf(post('Ada', '</script><script>alert(1)</script>'))
  expect(markup.match(/<\/script>/g)).toHaveLength(1)
})
