import type { MailHeader } from './received-mail.ts'

const LONGEST = 1_000

type Wish = { readonly tag: string; readonly weight: number }

const wishOf = (part: string): Wish[] => {
  const [, tag = '', q = '1'] = /^\s*([a-z]{2})(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(part) ?? []
  return tag === '' || Number(q) === 0 ? [] : [{ tag: tag.toLowerCase(), weight: Number(q) }]
}

/**
 * The language that a mail asks for (RFC 3282): the one in Accept-Language that its sender likes most, else that of the mail itself in
 * Content-Language. Only `languages` (two letters each) count; undefined if it is none of them.
 */
export const askedLanguage = <Language extends string>(
  headers: readonly MailHeader[],
  languages: readonly Language[],
): Language | undefined => {
  const liked = (name: string): Language | undefined => {
    const wishes = headers
      .filter((header) => header.name === name)
      .flatMap(({ value }) => value.slice(0, LONGEST).split(',').flatMap(wishOf))
      .toSorted((one, other) => other.weight - one.weight)
    return wishes.flatMap(({ tag }) => languages.filter((language) => language === tag))[0]
  }
  return liked('accept-language') ?? liked('content-language')
}
