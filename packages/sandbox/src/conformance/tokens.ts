/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import { eventually, must, pathIn, type Case } from './trial/trial.ts'

const rbac = 'rbac.authorization.k8s.io/v1'
const request = { kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1' }

/** Tokens of service accounts, for a limited time. */
export const tokenCases: Case[] = [
  {
    title: 'a service account’s token has the account’s permissions until the account is deleted',
    async run({ kube, newNamespace }) {
      const [mine, other] = [await newNamespace(), await newNamespace()]
      must(
        await kube.call('POST', pathIn(mine, 'v1', 'serviceaccounts'), { body: { metadata: { name: 'team' } } }),
        201,
      )
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }]
      const binding = {
        metadata: { name: 'team' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'team' },
        subjects: [{ kind: 'ServiceAccount', name: 'team', namespace: mine }],
      }
      must(await kube.call('POST', pathIn(mine, rbac, 'roles'), { body: { metadata: { name: 'team' }, rules } }), 201)
      must(await kube.call('POST', pathIn(mine, rbac, 'rolebindings'), { body: binding }), 201)

      const tokens = `${pathIn(mine, 'v1', 'serviceaccounts', 'team')}/token`
      const body = { ...request, spec: { expirationSeconds: 3600 } }
      const made = must(await kube.call('POST', tokens, { body }), 201)
      expect(made).toMatchObject({ ...request, metadata: { name: 'team', namespace: mine } })
      expect(made.spec.expirationSeconds).toBe(3600)
      const hour = Date.parse(made.status.expirationTimestamp) - Date.parse(made.metadata.creationTimestamp)
      expect(hour).toBe(3_600_000)

      const headers = { authorization: `Bearer ${made.status.token}` }
      const ask = (method: string, path: string, given?: object) =>
        kube.call(method, path, { bare: true, headers, ...(given && { body: given }) })
      const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }
      const { status } = must(await ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review), 201)
      expect(status.userInfo).toMatchObject({
        username: `system:serviceaccount:${mine}:team`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${mine}`, 'system:authenticated'],
      })
      await eventually(async () => must(await ask('GET', pathIn(mine, 'v1', 'configmaps')), 200))
      must(await ask('POST', pathIn(mine, 'v1', 'configmaps'), { metadata: { name: 'c' } }), 403)
      must(await ask('GET', pathIn(other, 'v1', 'configmaps')), 403)
      must(await ask('GET', '/api/v1/nodes'), 403)
      const asOther = { ...headers, 'impersonate-user': 'someone' }
      must(await kube.call('GET', pathIn(mine, 'v1', 'configmaps'), { bare: true, headers: asOther }), 403)
      must(await ask('GET', pathIn(mine, 'v1', 'configmaps')), 200)

      must(await kube.call('DELETE', pathIn(mine, 'v1', 'serviceaccounts', 'team')), 200)
      await eventually(async () => must(await ask('GET', pathIn(mine, 'v1', 'configmaps')), 401))
    },
  },
  {
    title: 'refuses a token for less than ten minutes, or of a missing account',
    async run({ kube, at }) {
      const tokens = (name: string) => `${at('v1', 'serviceaccounts', name)}/token`
      const short = await kube.call('POST', tokens('default'), {
        body: { ...request, spec: { expirationSeconds: 60 } },
      })
      expect(must(short, 422).message).toBe(
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
      )
      const nobody = must(await kube.call('POST', tokens('nobody'), { body: { ...request, spec: {} } }), 404)
      expect(nobody.message).toBe('serviceaccounts "nobody" not found')
    },
  },
]
