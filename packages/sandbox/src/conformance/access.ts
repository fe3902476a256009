/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { failure } from './refusals/refusal.ts'
import { deploymentOf, eventually, must, pathIn, type Case } from './trial/trial.ts'

const refusal = (message: string): Json =>
  expect.objectContaining({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403, message })

const asTeam = { 'impersonate-user': 'someone', 'impersonate-group': ['gantry:team:7'] }

/** Permissions by roles and their bindings. */
export const accessCases: Case[] = [
  {
    title: 'a binding allows a group its role in one namespace, and nothing elsewhere',
    async run({ kube, newNamespace }) {
      const [mine, other] = [await newNamespace(), await newNamespace()]
      const body = {
        metadata: { name: 'team' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'team' },
        subjects: [{ kind: 'Group', name: 'gantry:team:7' }],
      }
      const rules = [{ apiGroups: [''], resources: ['configmaps', 'pods/log'], verbs: ['get', 'list', 'create'] }]
      const rbac = 'rbac.authorization.k8s.io/v1'
      must(await kube.call('POST', pathIn(mine, rbac, 'roles'), { body: { metadata: { name: 'team' }, rules } }), 201)
      must(await kube.call('POST', pathIn(mine, rbac, 'rolebindings'), { body }), 201)
      const ask = (method: string, path: string, given?: Json) =>
        kube.call(method, path, { headers: asTeam, ...(given ? { body: given } : {}) })
      await eventually(async () => must(await ask('GET', pathIn(mine, 'v1', 'configmaps')), 200))
      must(await ask('POST', pathIn(mine, 'v1', 'configmaps'), { metadata: { name: 'c' } }), 201)
      expect((await ask('DELETE', pathIn(mine, 'v1', 'configmaps', 'c'))).body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `configmaps "c" is forbidden: User "someone" cannot delete resource "configmaps" in API group "" in the namespace "${mine}"`,
        reason: 'Forbidden',
        details: { name: 'c', kind: 'configmaps' },
        code: 403,
      })
      const refused: [string, string, Json, string][] = [
        [
          'GET',
          pathIn(other, 'v1', 'configmaps'),
          undefined,
          `configmaps is forbidden: User "someone" cannot list resource "configmaps" in API group "" in the namespace "${other}"`,
        ],
        [
          'GET',
          '/api/v1/configmaps',
          undefined,
          'configmaps is forbidden: User "someone" cannot list resource "configmaps" in API group "" at the cluster scope',
        ],
        [
          'POST',
          pathIn(mine, 'apps/v1', 'deployments'),
          deploymentOf('d'),
          `deployments.apps is forbidden: User "someone" cannot create resource "deployments" in API group "apps" in the namespace "${mine}"`,
        ],
        [
          'GET',
          `${pathIn(mine, 'v1', 'pods', 'p')}/exec`,
          undefined,
          `pods "p" is forbidden: User "someone" cannot get resource "pods/exec" in API group "" in the namespace "${mine}"`,
        ],
        [
          'GET',
          '/api/v1/nodes/x',
          undefined,
          'nodes "x" is forbidden: User "someone" cannot get resource "nodes" in API group "" at the cluster scope',
        ],
      ]
      for (const [method, path, given, message] of refused)
        expect((await ask(method, path, given)).body).toEqual(refusal(message))
      // A missing object is reported as missing only to callers who may read it.
      must(await ask('GET', `${pathIn(mine, 'v1', 'pods', 'p')}/log`), 404)
    },
  },
  {
    title: 'a team with a namespace may not use cluster-wide objects',
    async run({ kube, newNamespace }) {
      const namespace = await newNamespace()
      const rbac = 'rbac.authorization.k8s.io/v1'
      const body = {
        metadata: { name: 'team' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
        subjects: [{ kind: 'Group', name: 'gantry:team:7' }],
      }
      must(await kube.call('POST', pathIn(namespace, rbac, 'rolebindings'), { body }), 201)
      await eventually(async () =>
        must(await kube.call('GET', pathIn(namespace, 'v1', 'configmaps'), { headers: asTeam }), 200),
      )
      const review = async (resourceAttributes: Json, headers = {}): Promise<boolean> => {
        const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
        const given = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1' }
        return must(await kube.call('POST', path, { body: { ...given, spec: { resourceAttributes } }, headers }), 201)
          .status.allowed
      }
      const wanted: [group: string, resource: string, verbs: string[]][] = [
        ['', 'nodes', ['list', 'watch', 'patch', 'delete']],
        ['', 'persistentvolumes', ['list', 'create', 'patch', 'delete']],
        ['storage.k8s.io', 'storageclasses', ['list', 'create', 'delete']],
        ['networking.k8s.io', 'ingressclasses', ['list', 'create']],
        ['metrics.k8s.io', 'nodes', ['list']],
        ['', 'namespaces', ['create', 'delete']],
        ['', 'persistentvolumeclaims', ['list']],
      ]
      for (const [group, resource, verbs] of wanted)
        for (const verb of verbs) {
          expect(await review({ group, resource, verb })).toBe(true)
          expect([resource, verb, await review({ group, resource, verb }, asTeam)]).toEqual([resource, verb, false])
        }
      expect(await review({ resource: 'nodes', subresource: 'proxy', verb: 'get' }, asTeam)).toBe(false)
      const own = { resource: 'persistentvolumeclaims', verb: 'create', namespace }
      expect(await review(own, asTeam)).toBe(true)
      for (const [method, path] of [
        ['GET', '/api/v1/nodes'],
        ['GET', '/api/v1/persistentvolumes'],
        ['GET', '/apis/storage.k8s.io/v1/storageclasses'],
        ['GET', '/apis/metrics.k8s.io/v1beta1/nodes'],
        ['GET', '/api/v1/namespaces/kube-system/secrets'],
        ['GET', '/api/v1/namespaces/kube-public/configmaps/cluster-info'],
        ['DELETE', '/api/v1/persistentvolumes/none'],
      ] as const)
        expect((await kube.call(method, path, { headers: asTeam })).code).toBe(403)
    },
  },
  {
    title: 'a caller without credentials, or with a password, is anonymous; a wrong token is refused',
    async run({ kube, at, namespace }) {
      const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }
      const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
      const refused: [method: string, path: string, given: Json, details: Json, message: string][] = [
        [
          'GET',
          at('v1', 'pods'),
          undefined,
          { kind: 'pods' },
          `pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "${namespace}"`,
        ],
        [
          'POST',
          reviews,
          review,
          { group: 'authentication.k8s.io', kind: 'selfsubjectreviews' },
          'selfsubjectreviews.authentication.k8s.io is forbidden: User "system:anonymous" cannot create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
        ],
        ['GET', '/apis/apps/v1', undefined, {}, 'forbidden: User "system:anonymous" cannot get path "/apis/apps/v1"'],
        ['GET', '/nothing', undefined, {}, 'forbidden: User "system:anonymous" cannot get path "/nothing"'],
      ]
      for (const authorization of [undefined, `Basic ${btoa('admin:secret')}`, 'Bearer'])
        for (const [method, path, body, details, message] of refused) {
          const headers = authorization === undefined ? {} : { authorization }
          const { body: answer } = await kube.call(method, path, { bare: true, headers, ...(body ? { body } : {}) })
          expect(answer).toEqual(failure(403, 'Forbidden', message, details))
        }
      const impersonation = await kube.call('GET', at('v1', 'pods'), { bare: true, headers: asTeam })
      expect(impersonation.body).toEqual(
        failure(
          403,
          'Forbidden',
          'users "someone" is forbidden: User "system:anonymous" cannot impersonate resource "users" in API group "" at the cluster scope',
          { name: 'someone', kind: 'users' },
        ),
      )
      must(await kube.call('GET', '/version', { bare: true }), 200)
      must(await kube.call('GET', '/readyz', { bare: true }), 200)
      for (const path of ['/version', at('v1', 'pods')])
        expect((await kube.call('GET', path, { bare: true, headers: { authorization: 'Bearer wrong' } })).body).toEqual(
          failure(401, 'Unauthorized', 'Unauthorized'),
        )
      const known = must(await kube.call('POST', reviews, { body: review, headers: asTeam }), 201)
      expect(known).toMatchObject(review)
      expect(known.status.userInfo).toEqual({ username: 'someone', groups: ['gantry:team:7', 'system:authenticated'] })
    },
  },
  {
    title: 'the rules of a user, in a namespace and cluster-wide',
    async run({ kube, newNamespace, name }) {
      const [mine, role] = [await newNamespace(), name('rules')]
      const rbac = 'rbac.authorization.k8s.io'
      const [here, everywhere] = [
        { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['one'] },
        { verbs: ['list'], apiGroups: [''], resources: ['nodes'] },
      ]
      const subjects = [{ kind: 'User', name: role }]
      const bind = (kind: string) => ({
        metadata: { name: role },
        subjects,
        roleRef: { apiGroup: rbac, kind, name: role },
      })
      const root = `/apis/${rbac}/v1`
      const made: [path: string, body: Json][] = [
        [pathIn(mine, `${rbac}/v1`, 'roles'), { metadata: { name: role }, rules: [here] }],
        [pathIn(mine, `${rbac}/v1`, 'rolebindings'), bind('Role')],
        [`${root}/clusterroles`, { metadata: { name: role }, rules: [everywhere] }],
        [`${root}/clusterrolebindings`, bind('ClusterRole')],
      ]
      try {
        for (const [path, body] of made) must(await kube.call('POST', path, { body }), 201)
        const typeMeta = { kind: 'SelfSubjectRulesReview', apiVersion: 'authorization.k8s.io/v1' }
        const rules = async (spec: object) =>
          kube.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
            body: { ...typeMeta, spec },
            headers: { 'impersonate-user': role },
          })
        const everybody = [
          {
            verbs: ['create'],
            apiGroups: ['authorization.k8s.io'],
            resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
          },
          { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
        ]
        const listed = async (namespace: string, expected: object[]) => {
          const { status } = must(await rules({ namespace }), 201)
          expect(status.incomplete).toBe(false)
          expect(status.resourceRules).toHaveLength(expected.length)
          expect(status.resourceRules).toEqual(expect.arrayContaining(expected))
        }
        await eventually(() => listed(mine, [...everybody, here, everywhere]))
        await listed(`${mine}-that-is-not-there`, [...everybody, everywhere])
        expect((await rules({})).body).toEqual(failure(400, 'BadRequest', 'no namespace on request'))
      } finally {
        for (const plural of ['clusterroles', 'clusterrolebindings'])
          await kube.call('DELETE', `${root}/${plural}/${role}`)
      }
    },
  },
  {
    title: 'access reviews',
    async run({ kube, namespace }) {
      const review = async (
        path: string,
        kind: string,
        spec: Json,
        headers: Record<string, string | string[]> = {},
      ): Promise<boolean> => {
        const body = { apiVersion: 'authorization.k8s.io/v1', kind, spec }
        return must(await kube.call('POST', `/apis/authorization.k8s.io/v1/${path}`, { body, headers }), 201).status
          .allowed
      }
      const resourceAttributes = { verb: 'create', resource: 'pods', namespace }
      expect(await review('selfsubjectaccessreviews', 'SelfSubjectAccessReview', { resourceAttributes })).toBe(true)
      expect(await review('selfsubjectaccessreviews', 'SelfSubjectAccessReview', { resourceAttributes }, asTeam)).toBe(
        false,
      )
      expect(await review('subjectaccessreviews', 'SubjectAccessReview', { user: 'someone', resourceAttributes })).toBe(
        false,
      )
      expect(
        await review('subjectaccessreviews', 'SubjectAccessReview', {
          user: 'x',
          groups: ['system:masters'],
          resourceAttributes,
        }),
      ).toBe(true)
    },
  },
]
