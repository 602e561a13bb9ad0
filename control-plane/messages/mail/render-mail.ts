import { render } from '@react-email/render'
import { createElement } from 'react'
import type { Locale } from '#contracts/locale.ts'
import type { MailContent } from '#contracts/mail/mail.ts'
import { GERMAN } from './templates/german.ts'
import { ENGLISH } from './templates/english.ts'
import { HUNGARIAN } from './templates/hungarian.ts'
import { MailPage } from './templates/mail-page.tsx'
import { mailText } from './templates/mail-text.ts'
import { bodyOf, type MailBody, type MailFacts, type MailWords } from './templates/mail-words.ts'

const WORDS: Readonly<Record<Locale, MailWords>> = { en: ENGLISH, hu: HUNGARIAN, de: GERMAN }

export type RenderedMail = { readonly subject: string; readonly html: string; readonly text: string }

/** The text of a mail in one language. */
export const mailBody = (content: MailContent, { language, facts }: { language: Locale; facts: MailFacts }): MailBody =>
  bodyOf(content, WORDS[language], facts)

/** Renders a mail in its language, as HTML and as plain text. All content is escaped: markup in a name stays a name. */
export async function renderMail(
  content: MailContent,
  { language, facts }: { language: Locale; facts: MailFacts },
): Promise<RenderedMail> {
  const page = { language, body: mailBody(content, { language, facts }), frame: WORDS[language].frame(facts), facts }
  return { subject: page.body.subject, text: mailText(page), html: await render(createElement(MailPage, page)) }
}
