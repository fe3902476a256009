import { describe, expect, test } from 'vitest'
import { explain, type Failed } from './failure.ts'

const envelope = (errorMsg: string) => ({ status: 0, data: null, errorMsg, code: 409, message: 'name-taken' })

/** Section 8 of the specification, rule by rule. */
const table: [rule: string, failed: Failed | string, told: object][] = [
  ['no answer, offline', { online: false }, { key: 'network-timeout' }],
  ['no answer, online', { online: true }, { key: 'no-service-instance' }],
  ['401', { status: 401, online: true }, { key: 'login-again' }],
  ['404', { status: 404, online: true }, { key: 'resource-not-found' }],
  ['403', { status: 403, online: true }, { key: 'request-forbidden' }],
  ['400', { status: 400, online: true }, { key: 'request-parameters-wrong' }],
  ['500', { status: 500, online: true }, { key: 'server-failed' }],
  ['503', { status: 503, online: true }, { key: 'server-failed' }],
  [
    'other: the server message',
    { status: 418, body: { message: 'short and stout' }, online: true },
    { text: 'short and stout' },
  ],
  ['502', { status: 502, online: true }, { key: 'no-stack' }],
  [
    '502 of the product, about an outside system',
    {
      status: 502,
      body: { status: 0, data: null, message: 'git-failed', errorMsg: 'Bad gateway there' },
      online: true,
    },
    { text: 'Bad gateway there' },
  ],
  ['502 with a page', { status: 502, body: '<html>Bad Gateway</html>', online: true }, { key: 'no-stack' }],
  ['bad gateway in the words', { status: 500, body: { message: 'Bad Gateway' }, online: true }, { key: 'no-stack' }],
  ['cross-origin hint', { reason: 'blocked by CORS policy', online: true }, { key: 'no-stack' }],
  ['gateway timeout by status', { status: 504, body: '<html>', online: true }, { key: 'response-timeout' }],
  [
    'gateway timeout by words',
    { status: 500, body: { message: 'Gateway Timeout' }, online: true },
    { key: 'response-timeout' },
  ],
  ...[500, 400, 401, 403, 405, 422, 409].flatMap((status): [string, Failed, object][] => [
    [`${status} with a message`, { status, body: { message: 'the cause' }, online: true }, { text: 'the cause' }],
    [`${status} with an error`, { status, body: { error: 'the cause' }, online: true }, { text: 'the cause' }],
    [
      `${status} with an array error`,
      {
        status,
        body: {
          error: [
            { type: 'cpu', message: 'too little' },
            { type: 'x', message: 'y' },
          ],
        },
        online: true,
      },
      { text: 'cpu: too little' },
    ],
    [`${status} with an array`, { status, body: [{ type: 'a', message: 'b' }], online: true }, { text: 'a: b' }],
    [`${status} with a text`, { status, body: 'the cause', online: true }, { text: 'the cause' }],
  ]),
  ['a plain string error', 'no such stage', { text: 'no such stage' }],
  ['the envelope', { status: 409, body: envelope('Taken'), online: true }, { text: 'Taken' }],
  [
    'the envelope, any status',
    { status: 404, body: envelope('No such build'), online: true },
    { text: 'No such build' },
  ],
  [
    "a proxy's page is not shown",
    { status: 403, body: '<!doctype html><p>no', online: true },
    { key: 'request-forbidden' },
  ],
]

describe('the error map of section 8', () => {
  test.each(table)('%s', (_rule, failed, expected) => {
    expect(explain(failed)).toEqual(expected)
  })
})
