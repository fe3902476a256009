import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import { isRecord } from '../objects/record.ts'
import { badRequest, invalid, wrong } from '../objects/status.ts'
import { seconds } from '../store/store.ts'
import type { User } from './access.ts'
import { send, type ResourceCall } from './call.ts'
import { readObject } from './resources.ts'
import { mustFind } from './write.ts'

interface Claims {
  sub: string
  uid: string
  exp: number
  jti: string
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const signature = (text: string, key: string): Buffer => createHmac('sha256', key).update(text).digest()
const head = part({ alg: 'HS256', typ: 'JWT' })

const shortest = 600
const usual = 3600

/** `POST …/serviceaccounts/{name}/token`: a token for a limited time, which is not stored. */
export async function serveTokenRequest({ cluster, target, request, response }: ResourceCall, key: string) {
  const body = await readObject(request)
  if (!isRecord(body)) throw badRequest('the object provided is unrecognized (must be of type TokenRequest)')
  const spec = isRecord(body['spec']) ? body['spec'] : {}
  const { name, namespace = '', uid } = mustFind(cluster, target.kind, target.namespace, target.name ?? '').metadata
  const expirationSeconds = typeof spec['expirationSeconds'] === 'number' ? spec['expirationSeconds'] : usual
  if (expirationSeconds < shortest)
    throw invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, '', [
      wrong('spec.expirationSeconds', expirationSeconds, 'may not specify a duration less than 10 minutes'),
    ])
  const ends = Math.floor(cluster.now() / 1000) + expirationSeconds
  const claims: Claims = { sub: `${namespace}:${name}`, uid: uid ?? '', exp: ends, jti: randomUUID() }
  const text = `${head}.${part(claims)}`
  send(response, 201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: seconds(cluster.now()) },
    spec: { audiences: ['https://kubernetes.default.svc.cluster.local'], expirationSeconds, boundObjectRef: null },
    status: {
      token: `${text}.${signature(text, key).toString('base64url')}`,
      expirationTimestamp: seconds(ends * 1000),
    },
  })
}

/** The account of a token; undefined if the token is not ours or has expired, or its account was deleted. */
export function accountOf(cluster: Cluster, key: string, given: string): User | undefined {
  const [first, second = '', signed = '', ...more] = given.split('.')
  if (first !== head || more.length > 0) return undefined
  const [wanted, is] = [signature(`${first}.${second}`, key), Buffer.from(signed, 'base64url')]
  if (wanted.length !== is.length || !timingSafeEqual(wanted, is)) return undefined
  const claims = JSON.parse(Buffer.from(second, 'base64url').toString()) as Claims
  const [namespace = '', name = ''] = claims.sub.split(':')
  const account = cluster.store.get('serviceaccounts', namespace, name)
  if (account?.metadata.uid !== claims.uid || claims.exp * 1000 <= cluster.now()) return undefined
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  return { name: `system:serviceaccount:${namespace}:${name}`, groups }
}
