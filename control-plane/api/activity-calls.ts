import { listActivities } from '../messages/notices/read-notices.ts'
import { listServerActivities } from '../servers/activities/list-activities.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

/** Calls that list the activities of a person, and those of a server. */
export const activityCalls = ({ context }: ApiDeps): Pick<InternalCalls, 'activities' | 'server-activities'> => ({
  activities: ({ caller, ...page }) => listActivities(context.db, { userId: caller.userId, ...page }),
  'server-activities': async (input) => {
    const answer = await listServerActivities(context.db, input)
    if (answer.ok) return answer.page
    throw new ApiRefusal(answer.code, answer.code === 'FORBIDDEN' ? { params: { permission: answer.permission } } : {})
  },
})
