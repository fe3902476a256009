import { ingressGroups } from '@gantry/contract/clusters/ingress-groups'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedSandbox } from '../../../../test/sandbox-app.ts'
import type { TestCaller } from '../../../../test/test-app.ts'
import { labels } from '../../../adapters/kube/labels.ts'
import * as kinds from '../../../adapters/kube/resources.ts'

const { app, direct, team, alone, shared } = await sharedSandbox()
const namespace = 'ingress-groups'
const controller = 'example.com/ingress'

beforeAll(() => direct.apply(kinds.namespaces, { metadata: { name: namespace } }))

const groups = () => app.admin.call(ingressGroups.list, { params: { env: alone } })
const add = (name: string, more: object = {}, who: TestCaller = app.admin, env = alone) =>
  who.call(ingressGroups.create, { params: { env }, body: { name, controller, ...more } })
const remove = (name: string, who: TestCaller = app.admin, env = alone) =>
  who.call(ingressGroups.remove, { params: { env, name } })

describe('ingress groups', () => {
  test('are added as classes of the cluster, and are gone once deleted', async () => {
    expect(await add('internal')).toMatchObject({ way: 'ingress', name: 'internal', controller, isDefault: false })
    expect(await groups()).toContainEqual(expect.objectContaining({ name: 'internal', controller }))
    const made = await direct.get(kinds.ingressClasses, { name: 'internal' })
    expect(made.metadata?.labels?.[labels.environment]).toBe(alone)
    await expect(add('internal')).rejects.toMatchObject({ status: 409, key: 'ingress-group-exists' })
    expect(await remove('internal')).toBeNull()
    expect(await direct.find(kinds.ingressClasses, { name: 'internal' })).toBeUndefined()
    await expect(remove('internal')).rejects.toMatchObject({ status: 404, key: 'ingress-group-missing' })
  })

  test('have one default, and the refusal of a second names it', async () => {
    expect(await add('first', { isDefault: true })).toMatchObject({ isDefault: true })
    await expect(add('second', { isDefault: true })).rejects.toMatchObject({
      status: 409,
      key: 'ingress-group-default-taken',
    })
    await expect(add('second', { isDefault: true })).rejects.toThrow('first')
    expect(await direct.find(kinds.ingressClasses, { name: 'second' })).toBeUndefined()
    await remove('first')
    expect(await add('second', { isDefault: true })).toMatchObject({ isDefault: true })
    await remove('second')
  })

  test('cannot be deleted while an ingress names them, by its field or by the old annotation', async () => {
    await add('used')
    const backend = { service: { name: 'web', port: { number: 80 } } }
    const spelt = [
      { name: 'by-field', spec: { ingressClassName: 'used', defaultBackend: backend } },
      {
        name: 'by-annotation',
        annotations: { 'kubernetes.io/ingress.class': 'used' },
        spec: { defaultBackend: backend },
      },
    ]
    for (const { name, annotations, spec } of spelt) {
      await direct.create(kinds.ingresses, { metadata: { name, namespace, ...(annotations && { annotations }) }, spec })
      await expect(remove('used')).rejects.toMatchObject({ status: 409, key: 'ingress-group-in-use' })
      await expect(remove('used')).rejects.toThrow(`${namespace}/${name}`)
      await direct.remove(kinds.ingresses, { name, namespace })
    }
    expect(await remove('used')).toBeNull()
  })

  test('are changed only with the permission, and only in clusters that the team has to itself', async () => {
    const viewer = await team.member(['resource_ingress_view'])
    await expect(add('theirs', {}, viewer, shared)).rejects.toMatchObject({ status: 403 })
    await expect(remove('theirs', viewer, shared)).rejects.toMatchObject({ status: 403 })
    await expect(add('theirs', {}, team.leader, shared)).rejects.toMatchObject({ status: 403, key: 'clusters-shared' })
    await expect(remove('theirs', team.leader, shared)).rejects.toMatchObject({ status: 403, key: 'clusters-shared' })
  })

  test.each([
    '',
    'traefik',
    '/path',
    'Example.com/x',
    'example.com/',
    'example.com/a b',
    `a.example/${'x'.repeat(250)}`,
  ])('refuse the controller %j', async (bad) => {
    await expect(add('bad', { controller: bad })).rejects.toMatchObject({ status: 400 })
  })
})
