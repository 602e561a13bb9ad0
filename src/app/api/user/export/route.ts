import { identity } from '@/identity/dependencies.ts'
import { exportOf, permitExport } from '@/identity/accounts/export-person.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { askControlPlane } from '@/lib/caller.ts'
import { personOf, refused } from '@/lib/person.ts'

export const POST = apiHandler('POST /api/user/export', async (call) => {
  const { password, code } = call.input
  const answer = await permitExport(identity(), { person: personOf(call), password, code }, call)
  if (!answer.ok) throw refused(answer)
  const chunks = exportOf(identity(), answer, (ask) => askControlPlane('export-person', ask, call))
  return { download: { fileName: `bakter-${answer.username}.json`, chunks } }
})
