import type * as z from 'zod'
import type {
  ActivityPerson,
  FoundActivities,
  FoundActivity,
  ServerActivity,
  ServerActivityPage,
} from '#contracts/http/panel/server-activity.ts'

type Found = z.infer<typeof FoundActivities>
type Facts = {
  /** The ids of pictures by person. */
  readonly pictures: ReadonlyMap<string, string>
  placeOf(address: string): string
}

const actorsIn = ({ items, people }: Found): ActivityPerson[] => [
  ...people,
  ...items.flatMap(({ actor }) => (typeof actor === 'string' ? [] : [actor])),
]

/** The people whose pictures are shown; a deleted account has none. */
export const peopleIn = (found: Found): string[] => [
  ...new Set(actorsIn(found).flatMap(({ id, role }) => (role === 'deleted' ? [] : [id]))),
]

const entryOf = (
  { sees, ipAddress, ...entry }: FoundActivity,
  { placeOf, withPicture }: Pick<Facts, 'placeOf'> & { withPicture: (person: ActivityPerson) => ActivityPerson },
): ServerActivity => ({
  ...entry,
  actor: typeof entry.actor === 'string' ? entry.actor : withPicture(entry.actor),
  ipAddress: sees === 'address' && ipAddress !== '' ? ipAddress : null,
  place: sees === 'nothing' || ipAddress === '' ? '' : placeOf(ipAddress),
})

/** The activities as their reader sees them: with pictures and places, and addresses only where they may be seen. */
export const shownActivities = ({ items, people, next }: Found, { pictures, placeOf }: Facts): ServerActivityPage => {
  const withPicture = (person: ActivityPerson) => ({ ...person, pictureId: pictures.get(person.id) ?? null })
  return { items: items.map((item) => entryOf(item, { placeOf, withPicture })), people: people.map(withPicture), next }
}
