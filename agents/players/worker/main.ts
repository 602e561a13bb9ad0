import { GameDig } from 'gamedig'
import { PLAYER_BOUNDS } from '#contracts/agent/player-query.ts'
import { playersIn } from '../players-answer.ts'
import { QueryQuestion } from '../question.ts'

// Asks games for their players, one question at a time. A game may answer with anything, so this process is small and
// replaceable: it gives up when an answer grows, and its parent ends it when it hangs.
const SOCKET_MS = 2_000
const ATTEMPT_MS = 3_500
const MOST_MEMORY_BYTES = 192 * 1024 * 1024
const LOOK_MS = 50

const answerOf = async ({ type, ip, port }: QueryQuestion): Promise<unknown> => {
  const answer = await GameDig.query({
    type,
    // An address, so that no name is looked up, and this port only, so that no other one is tried.
    host: ip,
    address: ip,
    port,
    givenPortOnly: true,
    maxRetries: 1,
    socketTimeout: SOCKET_MS,
    attemptTimeout: ATTEMPT_MS,
    stripColors: true,
  })
  return playersIn(answer, PLAYER_BOUNDS)
}

const endIfGrown = (): void => {
  if (process.memoryUsage.rss() > MOST_MEMORY_BYTES) process.exit(1)
}

process.on('message', (raw: unknown) => {
  void answerOf(QueryQuestion.parse(raw))
    .catch(() => null)
    .then((answer) => {
      // Before the answer: an end after it would cost the next game's.
      endIfGrown()
      process.send?.(answer)
    })
})
process.on('disconnect', () => process.exit(0))
// A protocol's late error must not end the next question.
process.on('unhandledRejection', () => {})
setInterval(endIfGrown, LOOK_MS)
// The parent waits for it: the time for an answer does not contain the start of this process.
process.send?.('ready')
