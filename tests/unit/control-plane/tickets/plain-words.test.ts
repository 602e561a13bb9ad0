import { expect, test } from 'vitest'
import { plainWords } from '../../../../control-plane/tickets/plain-words.ts'

test.each([
  ['It stops every night.', 'It stops every night.'],
  ['It **stops** every *night*, see `latest.log`.', 'It stops every night, see latest.log.'],
  ['# Help\n\n- one\n- two\n\n> three', 'Help one two three'],
  ['First line\nsecond line\n\nthird', 'First line second line third'],
  ['[the page](https://example.org/a) ![a shot](https://example.org/b.png)', 'the page a shot'],
  ['```\n[Server] Can’t keep up!\n```', '[Server] Can’t keep up!'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['<b>bold</b> &amp; <script>x</script>', '<b>bold</b> & <script>x</script>'],
  ['***', '***'],
  ['Cut **in the midd', 'Cut **in the midd'],
])('%j reads %j', (text, words) => {
  expect(plainWords(text)).toBe(words)
})

test.each(['>\n\n', '> a\n\n', '- -\n\n', '- a\n', '![a', '*a**b', 'a '])(
  'of a long text of nothing but %j the start alone is read',
  (piece) => {
    const start = piece.repeat(800).slice(0, 800)
    expect(plainWords(piece.repeat(7_000).slice(0, 20_000))).toBe(plainWords(start))
  },
)
