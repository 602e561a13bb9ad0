import type { PostLine } from './post-view.ts'

export type Feed = {
  readonly title: string
  readonly description: string
  readonly language: string
  /** Absolute addresses. */
  readonly home: string
  readonly self: string
  readonly addressOf: (post: PostLine) => string
  readonly posts: readonly PostLine[]
}

/** XML has no place for these characters, not even escaped: control characters, halves of a pair, and two that are none. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** A text as the content of an element or attribute of XML. */
export const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`

const itemOf = (post: PostLine, feed: Feed): string =>
  [
    '<item>',
    element('title', post.title),
    element('link', feed.addressOf(post)),
    `<guid isPermaLink="false">${escapeXml(post.id)}</guid>`,
    element('pubDate', new Date(post.publishedAt).toUTCString()),
    element('dc:creator', post.author),
    ...post.tags.map((tag) => element('category', tag)),
    element('description', post.lead),
    '</item>',
  ].join('')

/** The posts as RSS 2.0. */
export const rssOf = (feed: Feed): string => {
  const newest = feed.posts
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>',
    element('title', feed.title),
    element('link', feed.home),
    element('description', feed.description),
    element('language', feed.language),
    ...(newest === undefined ? [] : [element('lastBuildDate', new Date(newest).toUTCString())]),
    `<atom:link href="${escapeXml(feed.self)}" rel="self" type="application/rss+xml"/>`,
    ...feed.posts.map((post) => itemOf(post, feed)),
    '</channel></rss>',
  ].join('\n')
}

/** The posts as JSON Feed 1.1. */
export const jsonFeedOf = (feed: Feed) => ({
  version: 'https://jsonfeed.org/version/1.1',
  title: feed.title,
  description: feed.description,
  language: feed.language,
  home_page_url: feed.home,
  feed_url: feed.self,
  items: feed.posts.map((post) => ({
    id: post.id,
    url: feed.addressOf(post),
    title: post.title,
    summary: post.lead,
    content_text: post.lead,
    date_published: post.publishedAt,
    date_modified: post.updatedAt,
    authors: [{ name: post.author }],
    tags: post.tags,
  })),
})
