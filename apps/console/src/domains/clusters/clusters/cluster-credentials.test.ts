import { clusters } from '@gantry/contract/clusters/clusters'
import { expect, test } from 'vitest'
import { CallError } from '../../../api/call.ts'
import { atField, credentialsIn, schemaOfAdding, connectionMethods } from './cluster-credentials.ts'

const typed = {
  name: 'edge',
  kubeconfig: 'kind: Config',
  context: 'a',
  server: 'https://x:6443',
  token: 't',
  ca: 'pem',
}

test.each(connectionMethods)('with %s exactly one method is sent, whatever was entered for the others', (way) => {
  const body = { name: 'edge', ...credentialsIn(way, typed) }
  expect(clusters.create.body.safeParse(body).error).toBeUndefined()
})

test.each([
  ['kubeconfig', { name: 'edge' }],
  ['token', { name: 'edge', server: 'https://x:6443' }],
  ['token', { name: 'edge', token: 't' }],
] as const)('%s requires missing fields: %j', (way, given) => {
  expect(schemaOfAdding(way).safeParse(given).success).toBe(false)
})

test.each([
  ['token', 'kube-config-token-invalid', 'token'],
  ['token', 'clusters-credentials-refused', 'token'],
  ['token', 'clusters-rights-missing', 'token'],
  ['token', 'kube-anonymous', 'token'],
  ['token', 'kube-tls-untrusted', 'ca'],
  ['token', 'kube-tls-missing', 'server'],
  ['token', 'clusters-ca-invalid', 'ca'],
  ['token', 'kube-refused', 'server'],
  ['token', 'outbound-refused', 'server'],
  ['token', 'kube-config-server-plain', 'server'],
  ['kubeconfig', 'kube-config-exec', 'kubeconfig'],
  ['token', 'clusters-joined-already', 'server'],
  ['kubeconfig', 'clusters-joined-already', 'kubeconfig'],
  ['kubeconfig', 'kube-tls-untrusted', 'kubeconfig'],
] as const)('with %s the problem %s is shown at %s', (way, key, path) => {
  expect(atField(way, new CallError(400, key, 'words'))).toMatchObject({ problems: [{ path, text: 'words' }] })
})

test('a problem outside of the credentials stays where it is', () => {
  const taken = new CallError(409, 'clusters-name-taken', 'taken')
  expect(atField('token', taken)).toBe(taken)
  expect(atField('agent', new CallError(400, 'kube-tls', 'x'))).toMatchObject({ problems: [] })
})
