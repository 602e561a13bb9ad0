import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MessageText } from '../../../../src/lib/message-text/message-text.tsx'
import { piecesOf, readMarkdown } from '#message-text/read-markdown.ts'

const htmlOf = (text: string): string => renderToStaticMarkup(<MessageText text={text} />)
const tagsOf = (html: string): string[] => [...new Set([...html.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag ?? ''))]
const addressesOf = (html: string): string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '')

test('markdown becomes text with emphasis, lists, quotes and code', () => {
  const html = htmlOf(
    '# Title\n\n**bold** and *soft* and `code`\n\n> quoted\n\n2. second\n\n- point\n\n```\na < b\n```',
  )
  expect(tagsOf(html).toSorted()).toEqual(
    ['blockquote', 'code', 'div', 'em', 'li', 'ol', 'p', 'pre', 'strong', 'ul'].toSorted(),
  )
  expect(html).toContain('<ol start="2">')
  expect(html).toContain('a &lt; b')
})

test.each([
  '<script>alert(1)</script>',
  'text <img src=x onerror=alert(1)> text',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<!-- --><style>@import "//evil.test"</style>',
  '> - <b onclick=alert(1)>\n>   <a href="javascript:alert(1)">x</a>',
  '<details open ontoggle=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
])('the HTML in %j is text', (attack) => {
  const html = htmlOf(attack)
  expect(tagsOf(html).filter((tag) => !['div', 'p', 'blockquote', 'ul', 'li'].includes(tag))).toEqual([])
  expect(html).toContain('&lt;')
  expect(addressesOf(html)).toEqual([])
})

test.each([
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](javascript&colon;alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](\u0001javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox)',
  '[x](file:///etc/passwd)',
  '[x](//evil.test/x)',
  '[x](/panel/1)',
  '[x][y]\n\n[y]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2Zy8+)',
  '**[x](javascript:alert(1))**',
])('%j leads nowhere', (attack) => {
  const html = htmlOf(attack)
  expect(addressesOf(html)).toEqual([])
  expect(tagsOf(html)).not.toContain('img')
})

test('a link to a page or a mailbox names its place and gives nothing away', () => {
  const html = htmlOf('[status](https://status.test/a) and [write](mailto:help@host.test)')
  expect(addressesOf(html)).toEqual(['https://status.test/a', 'mailto:help@host.test'])
  expect(html.match(/rel="nofollow noopener noreferrer"/g)).toHaveLength(2)
  expect(html).toContain('(status.test)')
  expect(html).toContain('(help@host.test)')
})

test('a link that pretends to lead elsewhere shows its true host', () => {
  expect(htmlOf('[https://bank.test](https://evil.test)')).toContain('(evil.test)')
  expect(htmlOf('[x](https://bank.test@evil.test/)')).toContain('(evil.test)')
  expect(htmlOf('[https://evil.test/a](https://evil.test/a)')).not.toContain('(evil.test)')
})

test('a line that begins like a tag is an ordinary line', () => {
  expect(htmlOf('<div>\n**bold**')).toBe('<div class="msg-text"><p>&lt;div&gt;\n<strong>bold</strong></p></div>')
})

test('a picture is a link: nothing is loaded from another host', () => {
  const html = htmlOf('![my screen](https://pictures.test/1.png)')
  expect(tagsOf(html)).toEqual(['div', 'p', 'a', 'span'])
  expect(addressesOf(html)).toEqual(['https://pictures.test/1.png'])
  expect(html).toContain('my screen')
})

test('a typed address is a link without the mark that ends the sentence', () => {
  expect(piecesOf('See https://a.test/x(1), or (http://b.test).').map(({ text, url }) => [text, url !== null])).toEqual(
    [
      ['See ', false],
      ['https://a.test/x(1)', true],
      [', or (', false],
      ['http://b.test', true],
      [').', false],
    ],
  )
  expect(addressesOf(htmlOf('`https://a.test` and\n\n```\nhttps://b.test\n```'))).toEqual([])
})

const LONGEST = 20_000
const filled = (piece: string): string => piece.repeat(Math.ceil(LONGEST / piece.length)).slice(0, LONGEST)

test.each([
  '>',
  '> ',
  '- > ',
  '*a_ ',
  '*a**b',
  '[',
  '![',
  '<',
  '[a](b',
  '[a]: b\n',
  '1) - * + ',
  '>\n\n',
  '> a\n\n',
  '>\na\n',
  '- -\n\n',
  '>\r\r',
  '- a\n',
  '1. a\n\n',
  '+\n\n',
  '- a\n  - b\n',
  '> - a\n\n',
  'a\n',
  '\r',
  '# a\n',
  '~~~\na\n',
  '![a](b) ',
])('a message of nothing but %j is shown as it was typed, without being parsed', (piece) => {
  expect(readMarkdown(filled(piece))).toBeNull()
  expect(tagsOf(htmlOf(filled(piece)))).toEqual(['div', 'p'])
})

test.each([
  ['20 containers in one line', `${'> '.repeat(20)}a`, true],
  ['21 containers in one line', `${'> '.repeat(21)}a`, false],
  ['300 containers, one in each line', '> a\n\n'.repeat(300), true],
  ['301 containers, one in each line', '> a\n\n'.repeat(301), false],
  ['2,000 lines', 'a\n'.repeat(2_000), true],
  ['2,001 lines', 'a\n'.repeat(2_001), false],
  ['300 pictures', '![a](b) '.repeat(300), true],
  ['301 pictures', '![a](b) '.repeat(301), false],
])('%s in a message are parsed: %j', (_what, text, isRead) => {
  expect(readMarkdown(text) !== null).toBe(isRead)
})

test.each([
  ['lines without a mark that go on with a quote', `> a\n${'a\n'.repeat(9_000)}`],
  ['pictures in pictures', `${'![a'.repeat(1_900)}${'](b)'.repeat(1_900)}`],
])('a message of %s is shown as it was typed', (_what, text) => {
  expect(readMarkdown(text)).toBeNull()
})

test('a long list, many quotes and a long page of short lines are parsed', () => {
  expect(tagsOf(htmlOf('- a\n'.repeat(250)))).toEqual(['div', 'ul', 'li', 'p'])
  expect(htmlOf('> a\n\nb\n\n'.repeat(100)).match(/<blockquote/g)).toHaveLength(100)
  expect(tagsOf(htmlOf(`\`\`\`\n${'key=value\n'.repeat(1_500)}\`\`\``))).toEqual(['div', 'pre', 'code'])
})

test('a long log in a fence and a line of dashes are parsed', () => {
  const log = Array.from({ length: 300 }, (_, at) => `[20:14:${at}] [INFO] player_${at} joined`).join('\n')
  expect(tagsOf(htmlOf(`\`\`\`\n${log}\n\`\`\``))).toEqual(['div', 'pre', 'code'])
  expect(tagsOf(htmlOf('one\n\n------------------------------\n\ntwo'))).toEqual(['div', 'p', 'hr'])
})

test('a deep nesting ends as text', () => {
  const html = htmlOf(`${'>'.repeat(18)} deep`)
  expect(html.match(/<blockquote/g)?.length).toBeLessThan(15)
  expect(html).toContain('deep')
})
