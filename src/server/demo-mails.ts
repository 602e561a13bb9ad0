import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createTranslator } from 'next-intl'
import PostalMime from 'postal-mime'
import type { Email } from 'postal-mime'
import type { Locale } from '#contracts/locale.ts'
import { localeCookie } from '../i18n/locales.ts'
import { negotiate } from '../i18n/negotiate.ts'
import { readCookie } from '../identity/sessions/cookies.ts'
import { formatDate } from '../lib/format/date.ts'
import de from '../messages/de.json'
import en from '../messages/en.json'
import hu from '../messages/hu.json'

const catalogs = { en, hu, de }
const ROOT = '/dev/mail'
const MAX_LISTED = 100
const MAIL_PATH = new RegExp(`^${ROOT}/([0-9a-f-]{36})(/html)?$`)

/**
 * The demo's mailbox: mails that the control plane wrote into a folder, on a page that does not exist in production.
 */
export type DemoMails = {
  readonly owns: (path: string) => boolean
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

type Mail = Email & { readonly id: string }

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => MARKUP[mark] ?? mark)

// The page itself runs nothing; mail content may not even leave its frame.
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'"
const MAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"

const STYLE = `
  body { background: #101015; color: #f2f0ea; font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2rem 1rem; }
  a { color: #9db8ff; } h1 { font-size: 1.625rem; } .quiet { color: #b9b7b0; }
  table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid #3a3a46; padding: .5rem; text-align: left; }
  iframe { background: #fff; border: 1px solid #3a3a46; height: 40rem; width: 100%; }
  pre { background: #17171e; overflow-wrap: anywhere; padding: 1rem; white-space: pre-wrap; }`

const page = (locale: Locale, title: string, body: string): string =>
  `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeMarkup(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeMarkup(title)}</h1>${body}</main></body></html>`

const read = async (folder: string, id: string): Promise<Mail | null> => {
  try {
    return { id, ...(await PostalMime.parse(await readFile(join(folder, `${id}.eml`)))) }
  } catch {
    return null
  }
}

const newest = async (folder: string): Promise<Mail[]> => {
  const names = await readdir(folder).catch((): string[] => [])
  // Ids begin with their creation time.
  const ids = names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -4))
  const mails = await Promise.all(
    ids
      .sort()
      .reverse()
      .slice(0, MAX_LISTED)
      .map((id) => read(folder, id)),
  )
  return mails.filter((mail) => mail !== null)
}

const recipientOf = (mail: Mail): string => mail.to?.map(({ address }) => address ?? '').join(', ') ?? ''

const wordsOf = (locale: Locale) => createTranslator({ locale, messages: catalogs[locale], namespace: 'demoMails' })
type Words = ReturnType<typeof wordsOf>

const momentOf = (mail: Mail, locale: Locale): string => formatDate(mail.date ?? '', locale, { style: 'stamp' })

const listPage = (mails: readonly Mail[], locale: Locale, words: Words): string => {
  const rows = mails.map(
    (mail) =>
      `<tr><td><a href="${ROOT}/${mail.id}">${escapeMarkup(mail.subject ?? '')}</a></td><td>${escapeMarkup(recipientOf(mail))}</td><td>${escapeMarkup(momentOf(mail, locale))}</td></tr>`,
  )
  const head = [words('subject'), words('to'), words('sent')].map(
    (text) => `<th scope="col">${escapeMarkup(text)}</th>`,
  )
  const table = `<table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`
  const intro = `<p class="quiet">${escapeMarkup(words('intro'))}</p>`
  return page(locale, words('title'), intro + (mails.length === 0 ? `<p>${escapeMarkup(words('empty'))}</p>` : table))
}

const LINK = /https?:\/\/[^\s<>"']+/g

/** The text with its addresses as links, which do not work inside the mail's frame. */
const linked = (text: string): string =>
  escapeMarkup(text).replaceAll(LINK, (address) => `<a href="${address}" rel="noreferrer">${address}</a>`)

const mailPage = (mail: Mail, locale: Locale, words: Words): string => {
  const facts = `${words('to')}: ${recipientOf(mail)} · ${momentOf(mail, locale)}`
  const frame = `<iframe sandbox src="${ROOT}/${mail.id}/html" title="${escapeMarkup(words('frame'))}"></iframe>`
  const text = `<h2>${escapeMarkup(words('text'))}</h2><pre>${linked(mail.text ?? '')}</pre>`
  const back = `<p><a href="${ROOT}">${escapeMarkup(words('back'))}</a></p>`
  return page(locale, mail.subject ?? '', `${back}<p class="quiet">${escapeMarkup(facts)}</p>${frame}${text}`)
}

const send = (response: ServerResponse, status: number, content: { html: string; policy?: string }) => {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': content.policy ?? PAGE_POLICY,
  })
  response.end(content.html)
}

/** Opens the demo's mailbox on the folder that the control plane writes to. */
export const createDemoMails = (folder: string): DemoMails => ({
  owns: (path) => path === ROOT || path.startsWith(`${ROOT}/`),
  answer: async (request, response) => {
    const { headers } = request
    const locale = negotiate(readCookie(headers.cookie, localeCookie.name), headers['accept-language'])
    const words = wordsOf(locale)
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (path === ROOT) return send(response, 200, { html: listPage(await newest(folder), locale, words) })
    const [, id, isFrame] = MAIL_PATH.exec(path) ?? []
    const mail = id === undefined ? null : await read(folder, id)
    if (mail === null) return send(response, 404, { html: page(locale, words('missing'), '') })
    if (isFrame) return send(response, 200, { html: mail.html ?? '', policy: MAIL_POLICY })
    send(response, 200, { html: mailPage(mail, locale, words) })
  },
})
