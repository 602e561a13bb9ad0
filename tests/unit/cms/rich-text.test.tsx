import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RichTextView } from '../../../src/cms/rich-text.tsx'
import { type Block, richText } from '../../../src/cms/seed/content/rich-text.ts'

type Body = Parameters<typeof RichTextView>[0]['body']
const shown = (blocks: readonly Block[], heading?: 'h4') =>
  renderToStaticMarkup(<RichTextView body={richText(blocks) as Body} {...(heading ? { heading } : {})} />)

test('paragraphs, lists, steps and links become elements', () => {
  const html = shown([
    { heading: 'One' },
    { text: 'Go to [your balance](/dashboard/balance/summary) or [out](https://example.test).' },
    { list: ['a'] },
    { steps: ['b [c](#d)'] },
  ])
  expect(html).toContain('<h2>One</h2>')
  expect(html).toContain(
    '<p>Go to <a href="/dashboard/balance/summary">your balance</a> or <a href="https://example.test" rel="noopener noreferrer">out</a>.</p>',
  )
  expect(html).toMatch(/<ul class="list-bullet"><li[^>]*>a<\/li><\/ul>/)
  expect(html).toMatch(/<ol class="list-number"><li[^>]*>b <a href="#d">c<\/a><\/li><\/ol>/)
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  '//evil.test',
  '/\\evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '/\r\\evil.test',
  'vbscript:x',
  'file:///etc/passwd',
  '',
])('an address %j leaves the text of its link alone', (url) => {
  const data = richText([{ text: '[word](/x)' }])
  const changed = JSON.parse(JSON.stringify(data).replace('"/x"', JSON.stringify(url))) as Body
  expect(renderToStaticMarkup(<RichTextView body={changed} />)).toContain('<p>word</p>')
})

test('markup in a text is text', () => {
  expect(shown([{ text: '<script>alert(1)</script>' }])).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})

test('headings get the level of their place', () => {
  expect(shown([{ heading: 'One' }], 'h4')).toContain('<h4>One</h4>')
})
