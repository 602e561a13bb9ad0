import * as z from 'zod'
import {
  Collaborator,
  CollaboratorChange,
  CollaboratorInvite,
  CollaboratorPath,
  CollaboratorList,
  InvitationList,
  InvitationPath,
  SeenPerson,
  SharingRoom,
} from '../http/panel/collaborators.ts'
import { Id, Nothing } from '../primitives.ts'

const ServerPath = z.object({ id: Id })

/** Rows of the API table: the people with whom a server is shared, and the invitations of the caller. */
export const COLLABORATOR_ROUTES = {
  'GET /api/server/{id}/users': {
    summary: "List a server's collaborators and pending invitations",
    auth: 'user',
    limit: 'read',
    path: ServerPath,
    call: 'collaborators',
    idAs: 'serverId',
    output: CollaboratorList,
  },
  'GET /api/server/{id}/sharing': {
    summary: 'Get how many collaborators a server has room for',
    auth: 'user',
    limit: 'read',
    path: ServerPath,
    call: 'sharing-room',
    idAs: 'serverId',
    output: SharingRoom,
  },
  'POST /api/server/{id}/users': {
    summary: 'Invite the owner of an e-mail address to a server',
    auth: 'user',
    limit: 'sharing',
    path: ServerPath,
    input: CollaboratorInvite,
    call: 'invite-collaborator',
    idAs: 'serverId',
    inputAs: 'request',
    output: Collaborator,
    status: 201,
  },
  'PUT /api/server/{id}/users/{userId}': {
    summary: "Change a collaborator's permissions or end date",
    auth: 'user',
    limit: 'sharing',
    path: CollaboratorPath,
    input: CollaboratorChange,
    output: Collaborator,
  },
  'DELETE /api/server/{id}/users/{userId}': {
    summary: 'Remove a collaborator, withdraw an invitation, or leave a server with your own id',
    auth: 'user',
    limit: 'sharing',
    path: CollaboratorPath,
    output: Nothing,
  },
  'POST /api/server/{id}/users/{userId}/see-as': {
    summary: 'Start looking at the panel as a collaborator sees it',
    auth: 'user',
    limit: 'sharing',
    path: CollaboratorPath,
    call: 'see-as',
    idAs: 'serverId',
    output: SeenPerson,
  },
  'GET /api/user/invitations': {
    summary: 'List the servers that others want to share with the caller',
    auth: 'user',
    limit: 'read',
    call: 'invitations',
    output: InvitationList,
  },
  'POST /api/user/invitations/{id}/accept': {
    summary: 'Accept the invitation to a server',
    auth: 'user',
    limit: 'sharing',
    path: InvitationPath,
    call: 'accept-invitation',
    idAs: 'serverId',
    output: Nothing,
  },
  'POST /api/user/invitations/{id}/decline': {
    summary: 'Decline the invitation to a server',
    auth: 'user',
    limit: 'sharing',
    path: InvitationPath,
    call: 'decline-invitation',
    idAs: 'serverId',
    output: Nothing,
  },
} as const
