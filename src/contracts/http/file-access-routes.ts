import { Nothing } from '../primitives.ts'
import { AppPasswordRequest, FileAccess, FileAccessPath, NewAppPassword, SshKeyRequest } from './file-access.ts'

/** Rows of the API table: keys and passwords for SFTP. */
export const FILE_ACCESS_ROUTES = {
  'GET /api/user/file-access': {
    summary: 'List the SSH keys and app passwords',
    auth: 'user',
    limit: 'read',
    output: FileAccess,
  },
  'POST /api/user/ssh-keys': {
    summary: 'Add an SSH key',
    auth: 'user',
    limit: 'factorSettings',
    takesTurn: true,
    input: SshKeyRequest,
    output: Nothing,
    status: 201,
  },
  'POST /api/user/ssh-keys/{id}/remove': {
    summary: 'Remove an SSH key',
    auth: 'user',
    limit: 'factorSettings',
    path: FileAccessPath,
    output: Nothing,
  },
  'POST /api/user/app-passwords': {
    summary: 'Create an app password',
    auth: 'user',
    limit: 'factorSettings',
    takesTurn: true,
    input: AppPasswordRequest,
    output: NewAppPassword,
    status: 201,
  },
  'POST /api/user/app-passwords/{id}/remove': {
    summary: 'Remove an app password',
    auth: 'user',
    limit: 'factorSettings',
    path: FileAccessPath,
    output: Nothing,
  },
} as const
