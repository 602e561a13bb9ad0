import { addAppPassword, listAppPasswords, removeAppPassword } from '../../identity/file-access/app-passwords.ts'
import { addSshKey, listSshKeys, removeSshKey } from '../../identity/file-access/ssh-keys.ts'
import { identity } from '../../identity/dependencies.ts'
import { hasFactor, readFactors } from '../../identity/sessions/second-factor.ts'
import { ApiError } from '../../lib/site/api-error.ts'
import { personOf, refused } from '../person.ts'
import type { ApiArea } from '../api-call.ts'

/** Keys and passwords that open the files of a person's servers. */
export const fileAccessArea = {
  'GET /api/user/file-access': async ({ subject: { userId } }) => {
    const { db } = identity()
    const [keys, appPasswords, factors] = await Promise.all([
      listSshKeys(db, userId),
      listAppPasswords(db, userId),
      readFactors(db, userId),
    ])
    return { body: { keys, appPasswords, needsAppPassword: hasFactor(factors) } }
  },
  'POST /api/user/ssh-keys': async (call) => {
    const answer = await addSshKey(identity(), { person: personOf(call), request: call.input }, call)
    if (!answer.ok) throw refused(answer)
    return { body: {} }
  },
  'POST /api/user/ssh-keys/{id}/remove': async ({ path, subject }) => {
    if (!(await removeSshKey(identity().db, { userId: subject.userId, id: path.id }))) throw new ApiError('NOT_FOUND')
    return { body: {} }
  },
  'POST /api/user/app-passwords': async (call) => {
    const answer = await addAppPassword(identity(), { person: personOf(call), request: call.input }, call)
    if (!answer.ok) throw refused(answer)
    return { body: { password: answer.password } }
  },
  'POST /api/user/app-passwords/{id}/remove': async ({ path, subject }) => {
    const isTheirs = await removeAppPassword(identity().db, { userId: subject.userId, id: path.id })
    if (!isTheirs) throw new ApiError('NOT_FOUND')
    return { body: {} }
  },
} satisfies ApiArea
