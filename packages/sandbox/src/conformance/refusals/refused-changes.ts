/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import { failure } from './refusal.ts'
import { deploymentOf, must, podOf, type Case } from '../trial/trial.ts'

/** Changes and creations that are refused. */
export const refusedChangeCases: Case[] = [
  {
    title: 'nothing can be created in a missing namespace',
    async run({ kube }) {
      const answer = await kube.call('POST', '/api/v1/namespaces/not-there/configmaps', {
        body: { metadata: { name: 'a' } },
      })
      expect(answer.body).toEqual(
        failure(404, 'NotFound', 'namespaces "not-there" not found', { name: 'not-there', kind: 'namespaces' }),
      )
    },
  },
  {
    title: 'a path without a kind',
    async run({ kube, namespace }) {
      for (const path of [`/api/v1/namespaces/${namespace}/nothings`, '/apis/apps/v1/nothings', '/api/v1/nothings/x'])
        expect((await kube.call('GET', path)).body).toEqual(
          failure(404, 'NotFound', 'the server could not find the requested resource', {}),
        )
      for (const path of ['/apis/no.such/v1/things', '/nothing']) {
        const answer = await kube.call('GET', path)
        expect([answer.code, answer.text]).toEqual([404, '404 page not found\n'])
      }
    },
  },
  {
    title: 'an immutable selector',
    async run({ kube, at, name }) {
      const body = deploymentOf(name('fixed'), { replicas: 0 })
      must(await kube.call('POST', at('apps/v1', 'deployments'), { body }), 201)
      const next = structuredClone(body)
      next.spec.selector.matchLabels = { app: 'other' }
      next.spec.template.metadata.labels = { app: 'other' }
      const answer = await kube.call('PUT', at('apps/v1', 'deployments', body.metadata.name), { body: next })
      expect(answer.body).toEqual(
        failure(
          422,
          'Invalid',
          `Deployment.apps "${body.metadata.name}" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable`,
          expect.anything(),
        ),
      )
    },
  },
  {
    title: 'a running pod keeps its containers’ commands',
    async run({ kube, at, name }) {
      const body = podOf(name('fixed'), 'sleep 1', {}, { nodeSelector: { 'contract/none': 'none' } })
      const made = must(await kube.call('POST', at('v1', 'pods'), { body }), 201)
      made.spec.containers[0].command = ['true']
      delete made.metadata.resourceVersion
      const answer = await kube.call('PUT', at('v1', 'pods', made.metadata.name), { body: made })
      expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' })
      expect(answer.body.message).toContain('spec: Forbidden: pod updates may not change fields other than')
      made.spec.containers[0].command = body.spec.containers[0].command
      made.spec.containers[0].image = 'localhost/busybox:2'
      must(await kube.call('PUT', at('v1', 'pods', made.metadata.name), { body: made }), 200)
    },
  },
  {
    title: 'an immutable config map and a secret’s type',
    async run({ kube, at, name }) {
      const metadata = { name: name('fixed') }
      must(
        await kube.call('POST', at('v1', 'configmaps'), { body: { metadata, data: { a: '1' }, immutable: true } }),
        201,
      )
      const map = await kube.call('PUT', at('v1', 'configmaps', metadata.name), {
        body: { metadata, data: { a: '2' }, immutable: true },
      })
      expect(map.body).toMatchObject({
        code: 422,
        message: `ConfigMap "${metadata.name}" is invalid: data: Forbidden: field is immutable when \`immutable\` is set`,
      })
      must(await kube.call('POST', at('v1', 'secrets'), { body: { metadata } }), 201)
      const secret = await kube.call('PUT', at('v1', 'secrets', metadata.name), {
        body: { metadata, type: 'other/type' },
      })
      expect(secret.body).toMatchObject({
        code: 422,
        message: `Secret "${metadata.name}" is invalid: type: Invalid value: "other/type": field is immutable`,
      })
    },
  },
  {
    title: 'an unknown field is dropped with a warning by default',
    async run({ kube, at, name }) {
      const body = { metadata: { name: name('warned') }, data: { a: '1' }, bogus: 1 }
      const answer = await kube.call('POST', at('v1', 'configmaps'), { body })
      expect(must(answer, 201)).not.toHaveProperty('bogus')
      expect(answer.headers['warning']).toBe('299 - "unknown field \\"bogus\\""')
    },
  },
  {
    title: 'an apply without a manager',
    async run({ kube, at }) {
      const answer = await kube.call('PATCH', at('v1', 'configmaps', 'x'), {
        body: {},
        type: 'application/apply-patch+yaml',
      })
      const message =
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch'
      expect(answer.body).toEqual(failure(422, 'Invalid', message, expect.anything()))
    },
  },
  {
    title: 'an unknown field in an apply',
    async run({ kube, at, name }) {
      const one = name('bogus')
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: one }, bogus: 1 }
      const options = { type: 'application/apply-patch+yaml', query: { fieldManager: 'gantry', force: true } }
      const answer = await kube.call('PATCH', at('v1', 'configmaps', one), { body, ...options })
      const message = `failed to create typed patch object (/${one}; /v1, Kind=ConfigMap): .bogus: field not declared in schema`
      expect(answer.body).toEqual(failure(500, '', message))
      const typed = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: one }, spec: { replicas: '2' } }
      const other = await kube.call('PATCH', at('apps/v1', 'deployments', one), { body: typed, ...options })
      const said = `failed to create typed patch object (/${one}; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string`
      expect(other.body).toEqual(failure(500, '', said))
    },
  },
]
