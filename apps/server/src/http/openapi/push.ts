import { pushLimits, PushRequest } from '@gantry/contract/push/frames'
import { pushPath } from '@gantry/contract/push/path'
import { schemaOf } from './openapi.ts'

/** The push channel, which is not a call: as much as OpenAPI can describe of a websocket, and its frames. */
export const pushOperation = (): Record<string, unknown> => ({
  [pushPath]: {
    get: {
      operationId: 'get_msghub_api_ws_notify',
      summary: 'Open the push channel',
      description: `A websocket: tells what changes in the topics to which its client subscribes. Anyone who is signed in, by a ticket of \`POST /api/tickets\` for this path. At most ${pushLimits.topics} topics; a client sends a frame every ${pushLimits.idleSeconds} seconds at the latest.`,
      tags: ['msghub'],
      security: [],
      parameters: [
        { name: 'authorization', in: 'query', required: true, schema: { type: 'string' }, description: 'The ticket' },
      ],
      responses: {
        101: { description: 'The channel is open' },
        default: { $ref: '#/components/responses/Refused' },
      },
      'x-frames': {
        sent: schemaOf(PushRequest, 'input'),
        received: {
          anyOf: [
            {
              description: 'An event. `seq` is its position, from which `resume` continues; empty where it cannot',
              type: 'object',
              required: ['topic', 'seq', 'content'],
              properties: { topic: { type: 'string' }, seq: { type: 'string' }, content: {} },
            },
            {
              description: 'An answer. `key` is the key of the text in `message`',
              type: 'object',
              required: ['op'],
              properties: {
                op: { enum: ['pong', 'subscribed', 'error'] },
                topic: { type: 'string' },
                key: { type: 'string' },
                quietMs: { type: 'integer', description: 'With `subscribed`: for how long nothing was published' },
                message: { type: 'string' },
              },
            },
          ],
        },
      },
    },
  },
})
