import { cannedReplies } from './content/canned-replies.ts'
import { createLocalized, type SeedTarget } from './write-localized.ts'

/** Writes the replies that staff of the demo insert into tickets. */
export const seedCannedReplies = async (target: SeedTarget): Promise<void> => {
  for (const reply of cannedReplies) await createLocalized(target, 'canned-replies', reply)
}
