import { sharingPlaces } from '../money/premium/sharing-places.ts'
import { acceptInvitation, declineInvitation } from '../servers/sharing/answer-invitation.ts'
import { changeCollaborator } from '../servers/sharing/change-collaborator.ts'
import { inviteCollaborator } from '../servers/sharing/invite-collaborator.ts'
import { listCollaborators, listInvitations, sharingRoom, shownPeople } from '../servers/sharing/list-people.ts'
import { removeCollaborator } from '../servers/sharing/remove-collaborator.ts'
import { seeAs } from '../servers/sharing/see-as.ts'
import type { SharingRefusal } from '../servers/sharing/sharing-access.ts'
import type { Share } from '../servers/sharing/share-store.ts'
import { assert } from '#domain/kernel/assert.ts'
import type { ApiDeps, InternalCalls } from './api-deps.ts'
import { ApiRefusal } from './api-refusal.ts'

type SharingCall =
  | 'collaborators'
  | 'sharing-room'
  | 'invite-collaborator'
  | 'change-collaborator'
  | 'remove-collaborator'
  | 'see-as'
  | 'invitations'
  | 'accept-invitation'
  | 'decline-invitation'

const refused = ({ code, params, fields }: SharingRefusal): ApiRefusal =>
  new ApiRefusal(code, { ...(params && { params }), ...(fields && { fields }) })

/** Calls about the people with whom a server is shared. */
export const sharingCalls = (deps: ApiDeps): Pick<InternalCalls, SharingCall> => {
  const context = { ...deps.context, placesOf: sharingPlaces }
  const shown = async (share: Share) => {
    const [person] = await shownPeople(context.db, [share])
    assert(person, 'each share is shown')
    return person
  }
  return {
    collaborators: async (input) => {
      const result = await listCollaborators(context, input)
      if (!result.ok) throw refused(result)
      return result.people
    },
    'sharing-room': async (input) => {
      const result = await sharingRoom(context, input)
      if (!result.ok) throw refused(result)
      return result.room
    },
    'invite-collaborator': async (input, { requestId }) => {
      const result = await inviteCollaborator(context, { ...input, requestId })
      if (!result.ok) throw refused(result)
      return shown(result.share)
    },
    'change-collaborator': async (input, { requestId }) => {
      const result = await changeCollaborator(context, { ...input, requestId })
      if (!result.ok) throw refused(result)
      return shown(result.share)
    },
    'remove-collaborator': async (input, { requestId }) => {
      const result = await removeCollaborator(context, { ...input, requestId })
      if (!result.ok) throw refused(result)
      return {}
    },
    'see-as': async (input) => {
      const result = await seeAs(context, input)
      if (!result.ok) throw refused(result)
      return result.person
    },
    invitations: ({ caller }) => listInvitations(context, caller),
    'accept-invitation': async (input, { requestId }) => {
      const result = await acceptInvitation(context, { ...input, requestId })
      if (!result.ok) throw refused(result)
      return {}
    },
    'decline-invitation': async (input, { requestId }) => {
      const result = await declineInvitation(context, { ...input, requestId })
      if (!result.ok) throw refused(result)
      return {}
    },
  }
}
