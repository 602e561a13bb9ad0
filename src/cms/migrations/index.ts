import * as migration_20261121_011624_initial from './20261121_011624_initial';
import * as migration_20261121_012000_cms_api_views from './20261121_012000_cms_api_views';
import * as migration_20261121_074000_pinned_images from './20261121_074000_pinned_images';
import * as migration_20261121_113000_verified_people from './20261121_113000_verified_people';
import * as migration_20261121_150000_suspended_people from './20261121_150000_suspended_people';
import * as migration_20261121_191000_global_messages from './20261121_191000_global_messages';
import * as migration_20261121_193000_profile_data from './20261121_193000_profile_data';
import * as migration_20261121_194500_discord_and_departures from './20261121_194500_discord_and_departures';
import * as migration_20261122_004000_invoicing from './20261122_004000_invoicing';
import * as migration_20261122_005000_prizes from './20261122_005000_prizes';
import * as migration_20261122_005001_prize_views from './20261122_005001_prize_views';
import * as migration_20261122_082000_vat_numbers from './20261122_082000_vat_numbers';
import * as migration_20261122_084000_money_settings from './20261122_084000_money_settings';
import * as migration_20261126_014328_rental_guides from './20261126_014328_rental_guides';
import * as migration_20261126_020404_service_drawings from './20261126_020404_service_drawings';
import * as migration_20261128_113652_startup_variables from './20261128_113652_startup_variables';
import * as migration_20261128_172440_player_queries from './20261128_172440_player_queries';
import * as migration_20261129_041916_known_errors from './20261129_041916_known_errors';
import * as migration_20261129_091500_ticket_categories from './20261129_091500_ticket_categories';
import * as migration_20261129_181530_canned_replies from './20261129_181530_canned_replies';
import * as migration_20261130_111124_guides from './20261130_111124_guides';
import * as migration_20261130_184500_described_files from './20261130_184500_described_files';
import * as migration_20261130_185402_shown_figures from './20261130_185402_shown_figures';
import * as migration_20261130_225741_posts from './20261130_225741_posts';
import * as migration_20261130_231930_votings from './20261130_231930_votings';
import * as migration_20261130_231931_voting_rules from './20261130_231931_voting_rules';
import * as migration_20261201_000240_votings from './20261201_000240_votings';

export const migrations = [
  {
    up: migration_20261121_011624_initial.up,
    down: migration_20261121_011624_initial.down,
    name: '20261121_011624_initial',
  },
  {
    up: migration_20261121_012000_cms_api_views.up,
    down: migration_20261121_012000_cms_api_views.down,
    name: '20261121_012000_cms_api_views',
  },
  {
    up: migration_20261121_074000_pinned_images.up,
    down: migration_20261121_074000_pinned_images.down,
    name: '20261121_074000_pinned_images',
  },
  {
    up: migration_20261121_113000_verified_people.up,
    down: migration_20261121_113000_verified_people.down,
    name: '20261121_113000_verified_people',
  },
  {
    up: migration_20261121_150000_suspended_people.up,
    down: migration_20261121_150000_suspended_people.down,
    name: '20261121_150000_suspended_people',
  },
  {
    up: migration_20261121_191000_global_messages.up,
    down: migration_20261121_191000_global_messages.down,
    name: '20261121_191000_global_messages',
  },
  {
    up: migration_20261121_193000_profile_data.up,
    down: migration_20261121_193000_profile_data.down,
    name: '20261121_193000_profile_data',
  },
  {
    up: migration_20261121_194500_discord_and_departures.up,
    down: migration_20261121_194500_discord_and_departures.down,
    name: '20261121_194500_discord_and_departures',
  },
  {
    up: migration_20261122_004000_invoicing.up,
    down: migration_20261122_004000_invoicing.down,
    name: '20261122_004000_invoicing',
  },
  {
    up: migration_20261122_005000_prizes.up,
    down: migration_20261122_005000_prizes.down,
    name: '20261122_005000_prizes',
  },
  {
    up: migration_20261122_005001_prize_views.up,
    down: migration_20261122_005001_prize_views.down,
    name: '20261122_005001_prize_views',
  },
  {
    up: migration_20261122_082000_vat_numbers.up,
    down: migration_20261122_082000_vat_numbers.down,
    name: '20261122_082000_vat_numbers',
  },
  {
    up: migration_20261122_084000_money_settings.up,
    down: migration_20261122_084000_money_settings.down,
    name: '20261122_084000_money_settings',
  },
  {
    up: migration_20261126_014328_rental_guides.up,
    down: migration_20261126_014328_rental_guides.down,
    name: '20261126_014328_rental_guides',
  },
  {
    up: migration_20261126_020404_service_drawings.up,
    down: migration_20261126_020404_service_drawings.down,
    name: '20261126_020404_service_drawings',
  },
  {
    up: migration_20261128_113652_startup_variables.up,
    down: migration_20261128_113652_startup_variables.down,
    name: '20261128_113652_startup_variables',
  },
  {
    up: migration_20261128_172440_player_queries.up,
    down: migration_20261128_172440_player_queries.down,
    name: '20261128_172440_player_queries',
  },
  {
    up: migration_20261129_041916_known_errors.up,
    down: migration_20261129_041916_known_errors.down,
    name: '20261129_041916_known_errors',
  },
  {
    up: migration_20261129_091500_ticket_categories.up,
    down: migration_20261129_091500_ticket_categories.down,
    name: '20261129_091500_ticket_categories',
  },
  {
    up: migration_20261129_181530_canned_replies.up,
    down: migration_20261129_181530_canned_replies.down,
    name: '20261129_181530_canned_replies',
  },
  {
    up: migration_20261130_111124_guides.up,
    down: migration_20261130_111124_guides.down,
    name: '20261130_111124_guides',
  },
  {
    up: migration_20261130_184500_described_files.up,
    down: migration_20261130_184500_described_files.down,
    name: '20261130_184500_described_files',
  },
  {
    up: migration_20261130_185402_shown_figures.up,
    down: migration_20261130_185402_shown_figures.down,
    name: '20261130_185402_shown_figures',
  },
  {
    up: migration_20261130_225741_posts.up,
    down: migration_20261130_225741_posts.down,
    name: '20261130_225741_posts',
  },
  {
    up: migration_20261130_231930_votings.up,
    down: migration_20261130_231930_votings.down,
    name: '20261130_231930_votings',
  },
  {
    up: migration_20261130_231931_voting_rules.up,
    down: migration_20261130_231931_voting_rules.down,
    name: '20261130_231931_voting_rules',
  },
  {
    up: migration_20261201_000240_votings.up,
    down: migration_20261201_000240_votings.down,
    name: '20261201_000240_votings'
  },
];
