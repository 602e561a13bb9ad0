import { waitFor } from './wait-for.ts'

/** Reads a page of the demo as text. */
type ReadPage = (path: string) => Promise<string>

const ROW = /<tr><td><a href="(\/dev\/mail\/[0-9a-f-]+)">([^<]*)<\/a><\/td><td>([^<]*)<\/td>/g

type Listed = { path: string; subject: string; to: string }

const listed = (html: string): Listed[] =>
  [...html.matchAll(ROW)].map(([, path = '', subject = '', to = '']) => ({ path, subject, to }))

/** The code that the demo mailed to an address, from the subject of the newest mail. */
export const mailedCode = (read: ReadPage, email: string): Promise<string> =>
  waitFor(`the code for ${email}`, async () => {
    const mail = listed(await read('/dev/mail')).find(({ subject, to }) => to === email && /^\d{6} /.test(subject))
    return mail?.subject.slice(0, 6)
  })

/** The newest mail to an address with such a subject, as its page shows it. */
export const mailedPage = (read: ReadPage, email: string, subject: RegExp): Promise<string> =>
  waitFor(`a mail for ${email}`, async () => {
    const mail = listed(await read('/dev/mail')).find((one) => one.to === email && subject.test(one.subject))
    return mail && read(mail.path)
  })

/** The newest link of this kind that the demo mailed to an address, as path and query. */
export const mailedLink = (read: ReadPage, email: string, page: RegExp): Promise<string> =>
  waitFor(`a link for ${email}`, async () => {
    for (const { path } of listed(await read('/dev/mail')).filter(({ to }) => to === email)) {
      const links = [...(await read(path)).matchAll(/href="https?:\/\/[^/"]+(\/[^"]*)"/g)].map(([, link = '']) => link)
      const link = links.find((one) => page.test(one))
      if (link !== undefined) return link.replaceAll('&amp;', '&')
    }
    return undefined
  })
