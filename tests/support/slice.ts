/**
 * The share of a long matrix that this run takes. `npm test` sets BAKTER_TEST_SLICE to a number made from the commit, so
 * that the share changes from commit to commit and is the same for all who test one; without it, as in `npm run test:full`
 * and when a file is run by hand, every case is taken. A share is never empty.
 */
export function sliceOf<Case>(
  cases: readonly Case[],
  shares: number,
  slice = process.env['BAKTER_TEST_SLICE'],
): readonly Case[] {
  if (slice === undefined || slice === '') return cases
  const count = Math.min(shares, cases.length)
  const turn = Number(slice) % count
  return cases.filter((_, index) => index % count === turn)
}
