import type { PayloadRequest } from 'payload'
import * as z from 'zod'
import { LOCALES, type Locale } from '#contracts/locale.ts'
import { isAdministrator, worksOnCategory } from '../../../access/grants.ts'
import { contentLanguages } from '../../../fields/languages.ts'

/** A category of tickets as staff look after it. */
export type ListedCategory = {
  readonly id: string
  /** Its name in the reader's language, or in another one where that is missing. */
  readonly name: string
  /** Its language; undefined where it has no name at all. */
  readonly language: Locale | undefined
  readonly isActive: boolean
  readonly isMine: boolean
  /** Its names in the other languages; null where nobody has written one. */
  readonly others: readonly { readonly language: Locale; readonly name: string | null }[]
  /** The support roles that work on it; undefined for readers who may not know roles. */
  readonly roles: readonly string[] | undefined
}

const Names = z.partialRecord(z.enum(LOCALES), z.string().nullish())

const rolesBy = async (req: PayloadRequest): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { docs } = await req.payload.find({
    collection: 'roles',
    where: { active: { equals: true }, isSupport: { equals: true } },
    depth: 0,
    pagination: false,
    sort: 'name',
    overrideAccess: false,
    user: req.user,
  })
  const found = new Map<string, string[]>()
  for (const { name, ticketCategories } of docs)
    for (const category of ticketCategories ?? []) {
      const id = typeof category === 'string' ? category : category.id
      found.set(id, [...(found.get(id) ?? []), name])
    }
  return found
}

/** All categories, those that customers can choose first, each part by name, for a member of staff. Only administrators read roles. */
export const listedCategories = async (req: PayloadRequest): Promise<readonly ListedCategory[]> => {
  const own = contentLanguages.find((code) => code === req.i18n.language) ?? 'en'
  const [{ docs }, roles] = await Promise.all([
    req.payload.find({
      collection: 'ticket-categories',
      locale: 'all',
      depth: 0,
      pagination: false,
      overrideAccess: false,
      user: req.user,
    }),
    isAdministrator(req.user) ? rolesBy(req) : undefined,
  ])
  return docs
    .map(({ id, name, active }) => {
      const names = Names.parse(name)
      const shown = [own, ...contentLanguages].find((language) => names[language])
      return {
        id,
        name: (shown && names[shown]) || '–',
        language: shown,
        isActive: active === true,
        isMine: worksOnCategory(req.user, id),
        others: contentLanguages.flatMap((language) =>
          language === shown ? [] : [{ language, name: names[language] || null }],
        ),
        roles: roles && (roles.get(id) ?? []),
      }
    })
    .toSorted((one, other) => Number(other.isActive) - Number(one.isActive) || one.name.localeCompare(other.name, own))
}
