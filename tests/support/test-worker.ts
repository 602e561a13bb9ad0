/** The maximum number of workers per suite with separate resources. */
const EACH_SUITE = 5

/**
 * Number of the process that runs this test, from 0 to 9: test files that run side by side take ports and users by it. A suite
 * that `npm test` runs beside another counts from 5.
 */
export const testWorker = (): number =>
  (Number(process.env['VITEST_POOL_ID'] ?? process.env['TEST_PARALLEL_INDEX'] ?? 0) % EACH_SUITE) +
  (process.env['BAKTER_TEST_BESIDE'] === '1' ? EACH_SUITE : 0)
