/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from './trial/client.ts'
import { deploymentOf, eventually, makeNamespace, must, pathIn, podOf, type Case } from './trial/trial.ts'

const quota = (hard: Record<string, string>): Json => ({ metadata: { name: 'share' }, spec: { hard } })

const refusal = (message: string): Json =>
  expect.objectContaining({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403, message })

const quotas: Case[] = [
  {
    title: 'a quota of pods',
    async run({ kube, newNamespace }) {
      const namespace = await newNamespace()
      const pods = pathIn(namespace, 'v1', 'pods')
      must(await kube.call('POST', pathIn(namespace, 'v1', 'resourcequotas'), { body: quota({ pods: '1' }) }), 201)
      await eventually(async () =>
        expect(must(await kube.call('GET', pathIn(namespace, 'v1', 'resourcequotas', 'share')), 200).status).toEqual({
          hard: { pods: '1' },
          used: { pods: '0' },
        }),
      )
      must(await kube.call('POST', pods, { body: podOf('one', 'sleep 3600') }), 201)
      const refused = await kube.call('POST', pods, { body: podOf('two', 'sleep 3600') })
      expect(refused.body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'pods "two" is forbidden: exceeded quota: share, requested: pods=1, used: pods=1, limited: pods=1',
        reason: 'Forbidden',
        details: { name: 'two', kind: 'pods' },
        code: 403,
      })
      await eventually(async () =>
        expect(
          must(await kube.call('GET', pathIn(namespace, 'v1', 'resourcequotas', 'share')), 200).status.used,
        ).toEqual({ pods: '1' }),
      )
      must(await kube.call('DELETE', `${pods}/one`, { body: { gracePeriodSeconds: 0 } }), 200)
      await eventually(async () => must(await kube.call('POST', pods, { body: podOf('two', 'sleep 3600') }), 201))
    },
  },
  {
    title: 'a quota of CPU and memory',
    async run({ kube, newNamespace }) {
      const namespace = await newNamespace()
      const pods = pathIn(namespace, 'v1', 'pods')
      const hard = { 'limits.memory': '128Mi', 'requests.cpu': '500m' }
      must(await kube.call('POST', pathIn(namespace, 'v1', 'resourcequotas'), { body: quota(hard) }), 201)
      await eventually(async () =>
        expect(
          must(await kube.call('GET', pathIn(namespace, 'v1', 'resourcequotas', 'share')), 200).status.used,
        ).toEqual({ 'limits.memory': '0', 'requests.cpu': '0' }),
      )
      const bare = await kube.call('POST', pods, { body: podOf('bare', 'sleep 3600') })
      expect(bare.body).toEqual(
        refusal(
          'pods "bare" is forbidden: failed quota: share: must specify limits.memory for: c; requests.cpu for: c',
        ),
      )
      const sized = (name: string, cpu: string, memory: string): Json =>
        podOf(name, 'sleep 3600', { resources: { requests: { cpu, memory }, limits: { memory } } })
      must(await kube.call('POST', pods, { body: sized('one', '300m', '64Mi') }), 201)
      const much = await kube.call('POST', pods, { body: sized('two', '300m', '100Mi') })
      expect(much.body).toEqual(
        refusal(
          'pods "two" is forbidden: exceeded quota: share, requested: limits.memory=100Mi,requests.cpu=300m, used: limits.memory=64Mi,requests.cpu=300m, limited: limits.memory=128Mi,requests.cpu=500m',
        ),
      )
      must(await kube.call('POST', pods, { body: sized('three', '0.2', '64Mi') }), 201)
      await eventually(async () =>
        expect(
          must(await kube.call('GET', pathIn(namespace, 'v1', 'resourcequotas', 'share')), 200).status.used,
        ).toEqual({ 'limits.memory': '128Mi', 'requests.cpu': '500m' }),
      )
    },
  },
  {
    title: 'a deployment limited by its quota',
    async run({ kube, newNamespace }) {
      const namespace = await newNamespace()
      must(await kube.call('POST', pathIn(namespace, 'v1', 'resourcequotas'), { body: quota({ pods: '1' }) }), 201)
      const path = pathIn(namespace, 'apps/v1', 'deployments', 'load')
      await eventually(async () =>
        expect(
          must(await kube.call('GET', pathIn(namespace, 'v1', 'resourcequotas', 'share')), 200).status.used,
        ).toEqual({ pods: '0' }),
      )
      must(
        await kube.call('POST', pathIn(namespace, 'apps/v1', 'deployments'), {
          body: deploymentOf('load', { replicas: 2 }),
        }),
        201,
      )
      const failed = await eventually(async () => {
        const now = must(await kube.call('GET', path), 200)
        expect(now.status.conditions.find((one: Json) => one.type === 'ReplicaFailure')).toMatchObject({
          status: 'True',
          reason: 'FailedCreate',
        })
        expect(now.status.readyReplicas).toBe(1)
        return now
      })
      const { message } = failed.status.conditions.find((one: Json) => one.type === 'ReplicaFailure')
      expect(message).toMatch(
        /^pods "load-\S+" is forbidden: exceeded quota: share, requested: pods=1, used: pods=1, limited: pods=1$/,
      )
      const { items } = must(
        await kube.call('GET', pathIn(namespace, 'v1', 'events'), { query: { fieldSelector: 'reason=FailedCreate' } }),
        200,
      )
      expect(items[0]).toMatchObject({
        type: 'Warning',
        involvedObject: { kind: 'ReplicaSet' },
        message: expect.stringMatching(/^Error creating: pods "load-\S+" is forbidden: exceeded quota/),
      })
      const more = { body: { spec: { hard: { pods: '2' } } }, type: 'application/merge-patch+json' }
      must(await kube.call('PATCH', pathIn(namespace, 'v1', 'resourcequotas', 'share'), more), 200)
      await eventually(async () => expect(must(await kube.call('GET', path), 200).status.readyReplicas).toBe(2))
    },
  },
  {
    title: 'a quota of services and of object counts',
    async run({ kube, newNamespace }) {
      const namespace = await newNamespace()
      const hard = { services: '1', 'services.nodeports': '0', 'count/deployments.apps': '0' }
      must(await kube.call('POST', pathIn(namespace, 'v1', 'resourcequotas'), { body: quota(hard) }), 201)
      await eventually(async () =>
        expect(
          must(await kube.call('GET', pathIn(namespace, 'v1', 'resourcequotas', 'share')), 200).status.used,
        ).toEqual({ services: '0', 'services.nodeports': '0', 'count/deployments.apps': '0' }),
      )
      const service = (type: string): Json => ({ metadata: { name: 's' }, spec: { type, ports: [{ port: 80 }] } })
      const published = await kube.call('POST', pathIn(namespace, 'v1', 'services'), { body: service('NodePort') })
      expect(published.body).toEqual(
        refusal(
          'services "s" is forbidden: exceeded quota: share, requested: services.nodeports=1, used: services.nodeports=0, limited: services.nodeports=0',
        ),
      )
      must(await kube.call('POST', pathIn(namespace, 'v1', 'services'), { body: service('ClusterIP') }), 201)
      const deployment = await kube.call('POST', pathIn(namespace, 'apps/v1', 'deployments'), {
        body: deploymentOf('d'),
      })
      expect(deployment.body).toEqual(
        refusal(
          'deployments.apps "d" is forbidden: exceeded quota: share, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0',
        ),
      )
    },
  },
  {
    title: 'applies default limits and enforces limits',
    async run({ kube, newNamespace }) {
      const namespace = await newNamespace()
      const limits = [
        {
          type: 'Container',
          default: { memory: '64Mi' },
          defaultRequest: { memory: '32Mi' },
          max: { memory: '128Mi' },
        },
      ]
      must(
        await kube.call('POST', pathIn(namespace, 'v1', 'limitranges'), {
          body: { metadata: { name: 'l' }, spec: { limits } },
        }),
        201,
      )
      const pods = pathIn(namespace, 'v1', 'pods')
      const given = await eventually(async () => {
        const pod = must(await kube.call('POST', pods, { body: podOf('given', 'true'), query: { dryRun: 'All' } }), 201)
        expect(pod.spec.containers[0].resources).toEqual({ limits: { memory: '64Mi' }, requests: { memory: '32Mi' } })
        return pod
      })
      expect(given.status.qosClass).toBe('Burstable')
      const much = await kube.call('POST', pods, {
        body: podOf('much', 'true', { resources: { limits: { memory: '1Gi' } } }),
      })
      expect(much.body).toEqual(
        refusal('pods "much" is forbidden: maximum memory usage per Container is 128Mi, but limit is 1Gi'),
      )
    },
  },
]

const security: Case[] = [
  {
    title: 'refuses pods that violate the baseline standard',
    async run({ kube, newNamespace }) {
      const namespace = await newNamespace({ 'pod-security.kubernetes.io/enforce': 'baseline' })
      const pods = pathIn(namespace, 'v1', 'pods')
      const hostile: [Json, string][] = [
        [
          podOf('p', 'true', { securityContext: { privileged: true } }),
          'privileged (container "c" must not set securityContext.privileged=true)',
        ],
        [podOf('p', 'true', {}, { hostNetwork: true }), 'host namespaces (hostNetwork=true)'],
        [
          podOf('p', 'true', {}, { volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
          'hostPath volumes (volume "v")',
        ],
        [
          podOf('p', 'true', { securityContext: { capabilities: { add: ['NET_ADMIN'] } } }),
          'non-default capabilities (container "c" must not include "NET_ADMIN" in securityContext.capabilities.add)',
        ],
        [
          podOf('p', 'true', { ports: [{ containerPort: 80, hostPort: 80 }] }),
          'hostPort (container "c" uses hostPort 80)',
        ],
      ]
      for (const [body, why] of hostile) {
        const answer = await kube.call('POST', pods, { body, query: { dryRun: 'All' } })
        expect(answer.body).toEqual(refusal(`pods "p" is forbidden: violates PodSecurity "baseline:latest": ${why}`))
      }
      must(await kube.call('POST', pods, { body: podOf('p', 'true'), query: { dryRun: 'All' } }), 201)
    },
  },
]

const namespaces: Case[] = [
  {
    title: 'deleting a namespace deletes everything in it',
    async run({ kube, name }) {
      const namespace = name('going')
      await makeNamespace(kube, namespace)
      const made = must(await kube.call('GET', `/api/v1/namespaces/${namespace}`), 200)
      expect(made).toMatchObject({
        metadata: { labels: { 'kubernetes.io/metadata.name': namespace } },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      })
      await eventually(async () =>
        must(await kube.call('GET', pathIn(namespace, 'v1', 'configmaps', 'kube-root-ca.crt')), 200),
      )
      must(await kube.call('POST', pathIn(namespace, 'apps/v1', 'deployments'), { body: deploymentOf('d') }), 201)
      await eventually(async () =>
        expect(
          must(await kube.call('GET', pathIn(namespace, 'apps/v1', 'deployments', 'd')), 200).status.readyReplicas,
        ).toBe(1),
      )
      const finalizer = { metadata: { name: 'held', finalizers: ['contract/held'] } }
      must(await kube.call('POST', pathIn(namespace, 'v1', 'configmaps'), { body: finalizer }), 201)
      const going = must(await kube.call('DELETE', `/api/v1/namespaces/${namespace}`), 200)
      expect(going).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } })
      const late = await kube.call('POST', pathIn(namespace, 'v1', 'configmaps'), {
        body: { metadata: { name: 'late' } },
      })
      expect(late.body).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: `configmaps "late" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
        details: {
          causes: [
            {
              reason: 'NamespaceTerminating',
              message: `namespace ${namespace} is being terminated`,
              field: 'metadata.namespace',
            },
          ],
        },
      })
      const free = { body: { metadata: { finalizers: null } }, type: 'application/merge-patch+json' }
      must(await kube.call('PATCH', pathIn(namespace, 'v1', 'configmaps', 'held'), free), 200)
      await eventually(async () => must(await kube.call('GET', `/api/v1/namespaces/${namespace}`), 404))
      expect(must(await kube.call('GET', pathIn(namespace, 'v1', 'pods')), 200).items).toEqual([])
    },
  },
  {
    title: 'a namespace that cannot be deleted names the remaining kinds and finalizers',
    async run({ kube, name }) {
      const namespace = name('held')
      await makeNamespace(kube, namespace)
      const maps = pathIn(namespace, 'v1', 'configmaps')
      for (const [one, finalizers] of Object.entries({ a: ['contract/held'], b: ['contract/held', 'contract/more'] }))
        must(await kube.call('POST', maps, { body: { metadata: { name: one, finalizers } } }), 201)
      must(await kube.call('DELETE', `/api/v1/namespaces/${namespace}`), 200)
      const since = { lastTransitionTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) }
      const said = (type: string, status: string, reason: string, message: string) => ({
        ...since,
        type,
        status,
        reason,
        message,
      })
      const all = 'All content successfully deleted, may be waiting on finalization'
      const remaining = 'Some resources are remaining: configmaps. has 2 resource instances'
      const finalizers =
        'Some content in the namespace has finalizers remaining: contract/held in 2 resource instances, contract/more in 1 resource instances'
      await eventually(async () =>
        expect(must(await kube.call('GET', `/api/v1/namespaces/${namespace}`), 200).status).toEqual({
          phase: 'Terminating',
          conditions: [
            said(
              'NamespaceDeletionDiscoveryFailure',
              'False',
              'ResourcesDiscovered',
              'All resources successfully discovered',
            ),
            said(
              'NamespaceDeletionGroupVersionParsingFailure',
              'False',
              'ParsedGroupVersions',
              'All legacy kube types successfully parsed',
            ),
            said('NamespaceDeletionContentFailure', 'False', 'ContentDeleted', all),
            said('NamespaceContentRemaining', 'True', 'SomeResourcesRemain', remaining),
            said('NamespaceFinalizersRemaining', 'True', 'SomeFinalizersRemain', finalizers),
          ],
        }),
      )
      const free = { body: { metadata: { finalizers: null } }, type: 'application/merge-patch+json' }
      for (const one of ['a', 'b']) must(await kube.call('PATCH', `${maps}/${one}`, free), 200)
      await eventually(async () => must(await kube.call('GET', `/api/v1/namespaces/${namespace}`), 404))
    },
  },
]

export const tenancyCases: Case[] = [...quotas, ...security, ...namespaces]
