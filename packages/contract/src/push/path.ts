/**
 * The address of the push channel, a websocket opened with a ticket: `?authorization=<ticket>`. In a file of its own,
 * because the console does not load the schemas of the frames.
 */
export const pushPath = '/msghub/api/ws_notify'
