/** The messages that Chromium logs while the peer of its connections is gone. */
export const CUT_CONNECTION = [
  /net::ERR_CONNECTION_(REFUSED|RESET|CLOSED)/,
  /net::ERR_(EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED)/,
  /WebSocket connection to .* failed/,
  /status of 50\d/,
]
