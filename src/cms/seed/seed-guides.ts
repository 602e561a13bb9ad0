import { accountGuides } from './content/guides/account.ts'
import { balanceGuides } from './content/guides/balance.ts'
import { guideDocuments } from './content/guides/guide-seed.ts'
import { serverTroubleGuides } from './content/guides/server-troubles.ts'
import { serverGuides } from './content/guides/servers.ts'
import { serviceGuides } from './content/guides/services.ts'
import { createLocalized, type SeedTarget } from './write-localized.ts'

/** Writes the guides of the demo, the topics in the order of their pages. */
export const seedGuides = async (target: SeedTarget): Promise<void> => {
  const guides = [
    ...guideDocuments('account', accountGuides),
    ...guideDocuments('balance', balanceGuides),
    ...guideDocuments('servers', [...serverGuides, ...serverTroubleGuides]),
    ...guideDocuments('services', serviceGuides),
  ]
  for (const guide of guides) await createLocalized(target, 'guides', guide)
}
