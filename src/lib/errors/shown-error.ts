export type ShownError = { message: string | null; status: number; reportId: string | null }

type Thrown = { message?: string; digest?: string; status?: unknown; statusCode?: unknown; requestId?: unknown }

const statusOf = ({ status, statusCode }: Thrown): number =>
  [status, statusCode].find((value): value is number => typeof value === 'number' && value >= 400 && value <= 599) ??
  500

/**
 * The facts that the error page shows: the error's own message if it has one (specification section 8; null stands for
 * 'Error'), its status or 500, and the id under which the server has logged it. An error of the server carries only that id:
 * its text is the framework's and helps nobody. A call that failed carries the id of its request.
 */
export const shownError = (error: Thrown): ShownError => ({
  message: error.digest ? null : error.message?.trim() || null,
  status: statusOf(error),
  reportId: error.digest ?? (typeof error.requestId === 'string' ? error.requestId : null),
})
