import type { MigrateDownArgs, MigrateUpArgs } from '@payloadcms/db-postgres'
import * as initial from './20261121_011624_initial.ts'
import * as cmsApiViews from './20261121_012000_cms_api_views.ts'
import * as pinnedImages from './20261121_074000_pinned_images.ts'
import * as verifiedPeople from './20261121_113000_verified_people.ts'
import * as suspendedPeople from './20261121_150000_suspended_people.ts'
import * as globalMessages from './20261121_191000_global_messages.ts'
import * as profileData from './20261121_193000_profile_data.ts'
import * as discordAndDepartures from './20261121_194500_discord_and_departures.ts'
import * as invoicing from './20261122_004000_invoicing.ts'
import * as prizes from './20261122_005000_prizes.ts'
import * as prizeViews from './20261122_005001_prize_views.ts'
import * as vatNumbers from './20261122_082000_vat_numbers.ts'
import * as moneySettings from './20261122_084000_money_settings.ts'
import * as rentalGuides from './20261126_014328_rental_guides.ts'
import * as serviceDrawings from './20261126_020404_service_drawings.ts'
import * as startupVariables from './20261128_113652_startup_variables.ts'
import * as playerQueries from './20261128_172440_player_queries.ts'
import * as knownErrors from './20261129_041916_known_errors.ts'
import * as ticketCategories from './20261129_091500_ticket_categories.ts'
import * as cannedReplies from './20261129_181530_canned_replies.ts'
import * as guides from './20261130_111124_guides.ts'
import * as describedFiles from './20261130_184500_described_files.ts'
import * as shownFigures from './20261130_185402_shown_figures.ts'
import * as posts from './20261130_225741_posts.ts'
import * as votings from './20261130_231930_votings.ts'
import * as votingRules from './20261130_231931_voting_rules.ts'

export type CmsMigration = {
  /** The name that the table of migrations records; also the file's name. */
  name: string
  up: (args: MigrateUpArgs) => Promise<void>
  down: (args: MigrateDownArgs) => Promise<void>
}

/** In the order they run. */
export const migrations: CmsMigration[] = [
  { name: '20261121_011624_initial', up: initial.up, down: initial.down },
  { name: '20261121_012000_cms_api_views', up: cmsApiViews.up, down: cmsApiViews.down },
  { name: '20261121_074000_pinned_images', up: pinnedImages.up, down: pinnedImages.down },
  { name: '20261121_113000_verified_people', up: verifiedPeople.up, down: verifiedPeople.down },
  { name: '20261121_150000_suspended_people', up: suspendedPeople.up, down: suspendedPeople.down },
  { name: '20261121_191000_global_messages', up: globalMessages.up, down: globalMessages.down },
  { name: '20261121_193000_profile_data', up: profileData.up, down: profileData.down },
  { name: '20261121_194500_discord_and_departures', up: discordAndDepartures.up, down: discordAndDepartures.down },
  { name: '20261122_004000_invoicing', up: invoicing.up, down: invoicing.down },
  { name: '20261122_005000_prizes', up: prizes.up, down: prizes.down },
  { name: '20261122_005001_prize_views', up: prizeViews.up, down: prizeViews.down },
  { name: '20261122_082000_vat_numbers', up: vatNumbers.up, down: vatNumbers.down },
  { name: '20261122_084000_money_settings', up: moneySettings.up, down: moneySettings.down },
  { name: '20261126_014328_rental_guides', up: rentalGuides.up, down: rentalGuides.down },
  { name: '20261126_020404_service_drawings', up: serviceDrawings.up, down: serviceDrawings.down },
  { name: '20261128_113652_startup_variables', up: startupVariables.up, down: startupVariables.down },
  { name: '20261128_172440_player_queries', up: playerQueries.up, down: playerQueries.down },
  { name: '20261129_041916_known_errors', up: knownErrors.up, down: knownErrors.down },
  { name: '20261129_091500_ticket_categories', up: ticketCategories.up, down: ticketCategories.down },
  { name: '20261129_181530_canned_replies', up: cannedReplies.up, down: cannedReplies.down },
  { name: '20261130_111124_guides', up: guides.up, down: guides.down },
  { name: '20261130_184500_described_files', up: describedFiles.up, down: describedFiles.down },
  { name: '20261130_185402_shown_figures', up: shownFigures.up, down: shownFigures.down },
  { name: '20261130_225741_posts', up: posts.up, down: posts.down },
  { name: '20261130_231930_votings', up: votings.up, down: votings.down },
  { name: '20261130_231931_voting_rules', up: votingRules.up, down: votingRules.down },
]
