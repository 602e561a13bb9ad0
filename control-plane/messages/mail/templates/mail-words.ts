import type { Locale } from '#contracts/locale.ts'
import type { MailContent, MailKind, MailParams } from '#contracts/mail/mail.ts'

/** Facts for every mail. `siteUrl` has no trailing slash. `takesReplies`: mails about tickets can be replied to. */
export type MailFacts = { readonly hostName: string; readonly siteUrl: string; readonly takesReplies?: boolean }

/** One mail in one language. Paragraphs are plain sentences; `path` is a page of the site. */
export type MailBody = {
  /** The first line of a mail that can be replied to: what stands below it is no part of the reply. */
  readonly cut?: string
  readonly subject: string
  readonly title: string
  readonly before: readonly string[]
  /** Shown large, alone on its line. */
  readonly code?: string
  /** Lines of a server, shown as they are. */
  readonly log?: { readonly title: string; readonly lines: readonly string[] }
  /** Messages of people, as they wrote them. */
  readonly letters?: readonly { readonly from: string; readonly text: string; readonly files?: string }[]
  readonly action?: { readonly label: string; readonly path: string }
  readonly after: readonly string[]
  /** Instead of the foot of every mail. */
  readonly foot?: string
}

/** The text around the body of every mail. */
export type MailFrame = { readonly orCopy: string; readonly foot: string }

type Writer<Kind extends MailKind> = (params: MailParams<Kind>, facts: MailFacts) => MailBody

/** The mails of one language: a missing kind does not compile. */
export type MailWords = {
  readonly frame: (facts: MailFacts) => MailFrame
  readonly bodies: { readonly [Kind in MailKind]: Writer<Kind> }
}

export type MailPageProps = {
  readonly language: Locale
  readonly body: MailBody
  readonly frame: MailFrame
  readonly facts: MailFacts
}

/** The table pairs each kind with its parameters; the compiler cannot follow that through a variable kind. */
export const bodyOf = (content: MailContent, words: MailWords, facts: MailFacts): MailBody =>
  (words.bodies[content.kind] as Writer<MailKind>)(content.params as MailParams<MailKind>, facts)
