import { identity } from '@/identity/dependencies.ts'
import { setUpTotp } from '@/identity/factors/factor-setup.ts'
import { readAccountName } from '@/identity/people/people.ts'
import { totpUri } from '@/identity/factors/totp.ts'
import { apiHandler } from '@/lib/api-handler.ts'
import { personOf, refused } from '@/lib/person.ts'
import { qrPicture } from '@/lib/qr-picture.ts'

export const POST = apiHandler('POST /api/user/2fa/setup', async (call) => {
  const { password, code } = call.input
  const answer = await setUpTotp(identity(), { person: personOf(call), password, code }, call)
  if (!answer.ok) throw refused(answer)
  const { hostName, username } = await readAccountName(identity().db, call.subject.userId)
  const uri = totpUri({ issuer: hostName, label: username, secret: answer.secret })
  return { body: { secret: answer.secret, uri, qr: qrPicture(uri) } }
})
