import { describe, expect, it } from 'vitest'
import { escapeXml, type Feed, jsonFeedOf, rssOf } from '../../../../../src/features/content/posts/feeds.ts'
import type { PostLine } from '../../../../../src/features/content/posts/post-view.ts'

const post = (id: string, publishedAt: string, title = 'Title'): PostLine => ({
  id,
  kind: 'blog',
  slug: id,
  title,
  lead: 'Lead',
  author: 'Ada & Bob',
  tags: ['minecraft'],
  publishedAt,
  updatedAt: publishedAt,
  isUpdated: false,
  minutes: 1,
  drawing: null,
  picture: null,
})
const feed = (posts: readonly PostLine[]): Feed => ({
  title: 'Blog',
  description: 'Lead',
  language: 'hu',
  home: 'https://site.test/hu/blog',
  self: 'https://site.test/hu/blog/feed.xml',
  addressOf: ({ slug }) => `https://site.test/hu/blog/${slug}`,
  posts,
})

describe('the feed', () => {
  it('as RSS has each post with its address, day and author, and no markup of a text', () => {
    const xml = rssOf(feed([post('a', '2026-11-18T08:00:00.000Z', `</title><script>"x" & 'y'\u0000</script>]]>`)]))
    expect(xml).toContain(
      '<item><title>&lt;/title&gt;&lt;script&gt;&quot;x&quot; &amp; &apos;y&apos;&lt;/script&gt;]]&gt;</title>' +
        '<link>https://site.test/hu/blog/a</link><guid isPermaLink="false">a</guid>' +
        '<pubDate>Wed, 18 Nov 2026 08:00:00 GMT</pubDate><dc:creator>Ada &amp; Bob</dc:creator>' +
        '<category>minecraft</category><description>Lead</description></item>',
    )
    expect(xml).toContain('<lastBuildDate>Wed, 18 Nov 2026 08:00:00 GMT</lastBuildDate>')
  })

  it('without posts has no date', () => {
    expect(rssOf(feed([]))).not.toContain('lastBuildDate')
    expect(jsonFeedOf(feed([])).items).toEqual([])
  })

  it('as JSON has the same posts', () => {
    expect(jsonFeedOf(feed([post('a', '2026-11-18T08:00:00.000Z')])).items).toEqual([
      {
        id: 'a',
        url: 'https://site.test/hu/blog/a',
        title: 'Title',
        summary: 'Lead',
        content_text: 'Lead',
        date_published: '2026-11-18T08:00:00.000Z',
        date_modified: '2026-11-18T08:00:00.000Z',
        authors: [{ name: 'Ada & Bob' }],
        tags: ['minecraft'],
      },
    ])
  })

  it('leaves out what XML cannot hold, and keeps letters of every script', () => {
    expect(escapeXml('a\u0000\u000b\ud800b\uffff űő 🎮')).toBe('ab űő 🎮')
  })
})
