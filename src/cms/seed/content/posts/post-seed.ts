import type { PostCover, PostTag } from '#contracts/posts/posts.ts'
import { type PostBlock, postText } from '../rich-text.ts'

type Written = {
  readonly title: string
  readonly slug: string
  readonly lead: string
  readonly body: readonly PostBlock[]
}

/** A post of the demo, in each language as its own writer would say it. */
export type PostSeed = {
  readonly drawing: PostCover
  readonly publishedAt: string
  readonly tags: readonly PostTag[]
  readonly en: Written
  readonly hu: Written
  readonly de: Written
}

const inEach = (post: PostSeed, part: 'title' | 'slug' | 'lead') => ({
  en: post.en[part],
  hu: post.hu[part],
  de: post.de[part],
})

/** The posts as published documents of the CMS. */
export const postDocuments = (posts: readonly PostSeed[]) =>
  posts.map((post) => ({
    kind: 'blog',
    title: inEach(post, 'title'),
    slug: inEach(post, 'slug'),
    lead: inEach(post, 'lead'),
    body: { en: postText(post.en.body), hu: postText(post.hu.body), de: postText(post.de.body) },
    author: 'Bakter',
    tags: post.tags,
    drawing: post.drawing,
    publishedAt: post.publishedAt,
    _status: 'published',
  }))
