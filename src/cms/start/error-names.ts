import {
  APIError,
  AuthenticationError,
  ErrorDeletingFile,
  FileRetrievalError,
  FileUploadError,
  Forbidden,
  Locked,
  LockedAuth,
  MissingFile,
  NotFound,
  QueryError,
  UnauthorizedError,
  UnverifiedEmail,
  ValidationError,
} from 'payload'

/** The errors with which Payload and our hooks refuse a request. */
const refusals = {
  APIError,
  AuthenticationError,
  ErrorDeletingFile,
  FileRetrievalError,
  FileUploadError,
  Forbidden,
  Locked,
  LockedAuth,
  MissingFile,
  NotFound,
  QueryError,
  UnauthorizedError,
  UnverifiedEmail,
  ValidationError,
}

/**
 * Gives the errors their names back. An error takes its name from its class, whose name the build removes: Payload
 * sends no text of an error without a name, and chooses the level of its log line by the name.
 */
export const nameErrors = (types: Readonly<Record<string, unknown>> = refusals): void => {
  for (const [name, type] of Object.entries(types)) Object.defineProperty(type, 'name', { value: name })
}
