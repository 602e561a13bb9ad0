import { votingAt } from './content/votings.ts'
import { createLocalized, type SeedTarget } from './write-localized.ts'

/** Opens the voting of the demo. */
export const seedVotings = async (target: SeedTarget): Promise<void> => {
  await createLocalized(target, 'votings', votingAt(Date.now()))
}
