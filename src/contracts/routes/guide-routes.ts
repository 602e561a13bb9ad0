import { GuideList, GuideQuery } from '../guides/guide-link.ts'

/** Rows of the API table: guides. */
export const GUIDE_ROUTES = {
  'GET /api/guides': {
    summary: "List the guides in the caller's language, or those that match a text",
    auth: 'user',
    limit: 'read',
    session: 'by the read',
    query: GuideQuery,
    output: GuideList,
  },
} as const
