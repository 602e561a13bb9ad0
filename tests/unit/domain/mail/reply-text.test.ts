import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { textOfHtml } from '#domain/mail/html-text.ts'
import { replyText } from '#domain/mail/reply-text.ts'

it.each([
  ['Gmail', 'On Fri, 20 Nov 2026 at 19:00, Host <a@b.example>\nwrote:\n\n> Hi'],
  ['Gmail in Hungarian', 'Host <a@b.example> ezt írta (időpont: 2026. nov. 20., P, 19:00):\n\n> Szia'],
  ['Thunderbird in German', 'Am 20.11.26 um 19:00 schrieb Host:\n> Hallo'],
  ['Outlook', 'From: Host\nSent: Friday\nTo: me\nSubject: x\n\nHi'],
  ['an older Outlook', '-----Original Message-----\nHi'],
  ['the line of our mails', '> ##- Write your reply above this line -##\n> Hi'],
  ['a signature', '-- \nAnna'],
])('folds what %s puts below', (_name, quoted) => {
  expect(replyText(`It works.\n\nThanks\n\n${quoted}`)).toEqual({ text: 'It works.\n\nThanks', quoted })
})

it.each([
  ['answers between the quoted lines', 'Yes.\n\nOn Friday, Host wrote:\n> One?\nThe first.\n> Two?\nThe second.'],
  ['a line of a log that looks like a rule', `The log:\n${'_'.repeat(30)}\nDone\n\nPlease restart it`],
  ['two dashes above a long part', `Before\n--\n${'More\n'.repeat(9)}After`],
])('folds nothing of %s', (_name, mail) => {
  expect(replyText(mail)).toEqual({ text: mail, quoted: '' })
})

it('takes an answer below the quotation, and a mail of nothing else whole', () => {
  expect(replyText('On Friday, Host wrote:\n> Does it work?\n\nYes')).toEqual({
    text: 'Yes',
    quoted: '> Does it work?',
  })
  expect(replyText('> only this')).toEqual({ text: '> only this', quoted: '' })
})

it('loses no word, whatever comes', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab> :-\n#') }), (mail) => {
      const { text, quoted } = replyText(mail)
      if (/[ab]/.test(mail)) expect(/[ab]/.test(text + quoted)).toBe(true)
    }),
  )
})

it.each([
  ['a head without its end', '<html><head><style>p{}</style><body><p>Hello</p>', 'Hello'],
  ['a picture that ends itself', '<p>One</p><svg viewBox="0 0 1 1"/><p>Two</p>', 'One\n\nTwo'],
])('%s hides nothing that follows', (_name, page, text) => {
  expect(textOfHtml(page)).toBe(text)
})

it('reads a page as text, with quotations, without styles and scripts', () => {
  const page =
    '<style>p{}</style><p>Hell&ouml; &amp; w&#xF6;rld<br>two</p><script>alert(1)</script><blockquote>old</blockquote>'
  expect(textOfHtml(page)).toBe('Hellö & wörld\ntwo\n\n> old')
})

/** How many lines are trimmed while a mail of `count` such lines is read. */
const trimmed = (line: string, count: number): number => {
  const trim = vi.spyOn(String.prototype, 'trim')
  try {
    replyText(line.repeat(count))
    return trim.mock.calls.length
  } finally {
    trim.mockRestore()
  }
}

it.each([
  '--\n',
  '--\n\n',
  '-- x\n--\n',
  'From: a\n',
  `${'_'.repeat(20)}\n`,
  '> a\n',
  'a\n> b\n',
  '\n',
  'On a\nwrote:\n',
])('looks at each line of a mail of nothing but %j a bounded number of times', (line) => {
  const [one, four] = [trimmed(line, 500), trimmed(line, 2_000)]
  expect(one).toBeLessThan(500 * 60)
  expect(four).toBeLessThan(5 * one)
})
