import type { PayloadRequest } from 'payload'
import { worksOnCategory } from '../../access/grants.ts'

/** A category of tickets in the reader's language, and whether the reader works on it. */
export type StaffCategory = {
  readonly id: string
  readonly name: string
  readonly active: boolean
  readonly isMine: boolean
}

/** All categories by name, for a member of staff. */
export const staffCategories = async (req: PayloadRequest): Promise<readonly StaffCategory[]> => {
  const { language } = req.i18n
  const { docs } = await req.payload.find({
    collection: 'ticket-categories',
    locale: language === 'hu' || language === 'de' ? language : 'en',
    depth: 0,
    pagination: false,
    overrideAccess: false,
    user: req.user,
  })
  return docs
    .map(({ id, name, active }) => ({ id, name, active: active === true, isMine: worksOnCategory(req.user, id) }))
    .toSorted((one, other) => one.name.localeCompare(other.name, language))
}
