import type { Database } from '#platform/postgres/database.ts'

const FOR_MS = 4_000

/** How often a second this PostgreSQL commits one small row for so many writers: no program that waits for its commits is faster. */
export async function commitsPerSecond(db: Database, writers: number): Promise<number> {
  await db.query(
    'create table if not exists public.bench_commits (id bigint generated always as identity primary key, at timestamptz)',
  )
  const [beganAt, endAt] = [performance.now(), performance.now() + FOR_MS]
  let done = 0
  const write = async () => {
    for (; performance.now() < endAt; done += 1) await db.query('insert into public.bench_commits (at) values (now())')
  }
  await Promise.all(Array.from({ length: writers }, write))
  return (done * 1_000) / (performance.now() - beganAt)
}
