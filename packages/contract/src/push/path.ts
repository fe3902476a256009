/**
 * The push channel's address: a websocket, opened by a ticket: `?authorization=<ticket>`. Apart from its frames, whose schemas
 * the console does not load.
 */
export const pushPath = '/msghub/api/ws_notify'
