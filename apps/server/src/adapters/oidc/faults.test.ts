import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { expect, test } from 'vitest'
import { Fault } from '../../kernel/fault.ts'
import { oidcFault } from './faults.ts'

const clientSecret = 'hunter22'
const said = `refused for ${clientSecret}`
const client = { issuer: 'https://provider.test', clientSecret }
const problemOf = (error: unknown) => oidcFault(error, client, new Fault('invalid', 'oauth-answer')).vars['problem']

test('a secret that the provider echoes is masked', () => {
  const cause = { error: 'server_error', error_description: said }
  const response = new Response('', { status: 400 })
  expect(problemOf(new ResponseBodyError('', { cause, response }))).toBe('server_error: refused for ********')
})

test('text with which a browser returns is not masked, so that it cannot confirm a guess of the secret', () => {
  const cause = new URLSearchParams({ error: 'server_error', error_description: said })
  expect(problemOf(new AuthorizationResponseError('', { cause }))).toBe(said)
})
