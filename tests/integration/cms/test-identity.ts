import { testFactorHeader, testUserHeader } from './cms-harness.ts'

/** Stands in for the identity part: the headers say who sends the request, and whether they have a second factor. */
export const authenticateRequest = (headers: Headers): Promise<{ userId: string; hasFactor: boolean } | null> => {
  const userId = headers.get(testUserHeader)
  return Promise.resolve(userId === null ? null : { userId, hasFactor: headers.has(testFactorHeader) })
}
