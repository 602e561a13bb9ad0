import { GuideList, GuideMatch, GuideQuery } from '../guides/guide-link.ts'

/** Rows of the API table: guides. */
export const GUIDE_ROUTES = {
  'GET /api/guides': {
    summary: "List the guides in the caller's language",
    auth: 'user',
    limit: 'read',
    session: 'by the read',
    query: GuideQuery,
    output: GuideList,
  },
  'POST /api/guides/matching': {
    summary: 'Find the guides that match a typed text, which is sent in the body alone',
    auth: 'user',
    limit: 'read',
    input: GuideMatch,
    output: GuideList,
  },
} as const
