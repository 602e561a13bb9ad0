/**
 * The first of the users that servers of this test file may run as. Test files run side by side, and whoever ends a task
 * ends what its user runs: a range of its own for each worker keeps them apart.
 */
export const ownUsers = (): number => 300_000 + 10_000 * Number(process.env['VITEST_POOL_ID'] ?? 0)
