import { testUserHeader } from './cms-harness.ts'

/** Stands in for the identity part: the header says who sends the request. */
export const authenticateRequest = (headers: Headers): Promise<{ userId: string } | null> => {
  const userId = headers.get(testUserHeader)
  return Promise.resolve(userId === null ? null : { userId })
}
