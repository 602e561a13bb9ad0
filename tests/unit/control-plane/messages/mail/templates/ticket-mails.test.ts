import { expect, it } from 'vitest'
import { MailContent, type MailParams } from '#contracts/mail/mail.ts'
import { renderMail } from '../../../../../../control-plane/messages/mail/render-mail.ts'

const facts = { hostName: 'Bakter', siteUrl: 'https://host.example' }
const NAME = '<img src=x onerror=alert(1)>'
const REPLY: MailParams<'ticket.reply'> = {
  title: 'It stops',
  person: 'Ben',
  replies: [{ person: 'Ben', text: 'Restart it' }],
  path: '/dashboard/ticket/01890000-0000-7000-8000-000000000000',
}

it.each([
  ['en', 'a ticket that you were added to', 'You can reopen it', 'Its owner can reopen it.'],
  ['hu', 'amelyhez hozzáadtak', 'Az oldalán újranyithatod', 'A tulajdonosa tudja újranyitni.'],
  ['de', 'zu dem du hinzugefügt wurdest', 'Auf seiner Seite kannst du', 'Wer es geöffnet hat, kann es wieder öffnen.'],
] as const)(
  'a reply says in %s whose ticket it is, and once that is closed who reopens it',
  async (language, there, own, owners) => {
    const said = async (change: object) => {
      const params = { ...REPLY, ...change }
      const taken = { ...facts, takesReplies: true }
      const content = MailContent.parse({ kind: 'ticket.reply', params })
      return (await renderMail(content, { language, facts: taken })).text.replaceAll(/\s+/gu, ' ')
    }
    const [opener, added] = [await said({ isClosed: true }), await said({ isClosed: true, isAdded: true })]
    expect([opener.includes(own), opener.includes(owners), opener.includes(there)]).toEqual([true, false, false])
    expect([added.includes(own), added.includes(owners), added.includes(there)]).toEqual([false, true, true])
    // Title and foot.
    expect((await said({ isAdded: true })).split(there)).toHaveLength(3)
  },
)

it('a reply in markdown is drawn in the HTML, links with their hosts, and stays as typed in the text', async () => {
  const text =
    '**Stop** it, see [the page](https://evil.test/a) ![x](https://evil.test/x.png)\n\n- one\n\n```\na < b\n```'
  const params = { ...REPLY, replies: [{ person: 'Ben', text: `${text}\n\n${NAME}` }] }
  const mail = await renderMail({ kind: 'ticket.reply', params }, { language: 'en', facts })
  expect(mail.text).toContain(text)
  const letter = /<strong>Stop<\/strong>[\s\S]*?<\/pre>[\s\S]*?<\/p>/.exec(mail.html)?.[0] ?? ''
  expect(letter).toContain('(evil.test)')
  expect(letter.match(/<a [^>]*href="https:\/\/evil\.test[^>]*rel="nofollow noopener noreferrer"/g)).toHaveLength(2)
  expect(letter).toMatch(/<li[^>]*><p[^>]*>one<\/p><\/li>/)
  expect(letter).toContain('a &lt; b')
  expect(letter).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(mail.html).not.toContain('<img')
})
