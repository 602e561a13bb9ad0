import { listActivities } from '../messages/notices/read-notices.ts'
import { listServerActivities } from '../servers/activities/list-activities.ts'
import { visitPanel } from '../servers/activities/visit-panel.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

type ActivityCall = 'activities' | 'server-activities' | 'visit-panel'

/** Calls that list the activities of a person, and those of a server, and tell what happened since a visit. */
export const activityCalls = ({ context }: ApiDeps): Pick<InternalCalls, ActivityCall> => ({
  activities: ({ caller, ...page }) => listActivities(context.db, { userId: caller.userId, ...page }),
  'server-activities': async (input) => {
    const answer = await listServerActivities(context.db, input)
    if (answer.ok) return answer.page
    throw new ApiRefusal(answer.code, answer.code === 'FORBIDDEN' ? { params: { permission: answer.permission } } : {})
  },
  'visit-panel': async (input) => {
    const answer = await visitPanel(context, input)
    if (answer.ok) return answer.visit
    const { permission } = answer
    throw new ApiRefusal(answer.code, permission === undefined ? {} : { params: { permission } })
  },
})
