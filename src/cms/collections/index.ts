import type { AuthStrategy, CollectionConfig } from 'payload'
import { CannedReplies } from './canned-replies.ts'
import { Computers } from './computers.ts'
import { Coupons } from './coupons.ts'
import { GlobalMessages } from './global-messages.ts'
import { Guides } from './guides.ts'
import { KnownErrors } from './known-errors.ts'
import { Media } from './media.ts'
import { News } from './news.ts'
import { Packages } from './packages.ts'
import { Posts } from './posts.ts'
import { Roles } from './roles.ts'
import { Services } from './services.ts'
import { SpinCoupons } from './spin-coupons.ts'
import { Templates } from './templates.ts'
import { TicketCategories } from './ticket-categories.ts'
import { users } from './users.ts'
import { Votings } from './votings.ts'

/** Every collection, in the order of the admin's menu. */
export const collections = (strategy: AuthStrategy): CollectionConfig[] => [
  users(strategy),
  Roles,
  TicketCategories,
  CannedReplies,
  Services,
  Packages,
  Templates,
  KnownErrors,
  Computers,
  Coupons,
  SpinCoupons,
  News,
  Posts,
  Guides,
  GlobalMessages,
  Votings,
  Media,
]
