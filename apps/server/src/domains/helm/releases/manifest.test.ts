import { mask } from '@gantry/contract/validators'
import { expect, test } from 'vitest'
import { changesBetween, demandOf, findingsIn, objectsOf } from './manifest.ts'

const namespace = 'team-shop'
const read = (text: string) => objectsOf(text, namespace)

const secretWith = (value: string) => `kind: Secret\napiVersion: v1\nmetadata: { name: key }\ndata: { key: ${value} }\n`
const podsWith = (spec: string) =>
  `kind: Deployment\napiVersion: apps/v1\nmetadata: { name: web }\nspec: { replicas: 2, template: { spec: ${spec} } }\n`

test('a changed secret is a change, and its values are not shown', () => {
  const [change] = changesBetween(read(secretWith('b25l')), read(secretWith('dHdv')))
  expect(change).toMatchObject({ change: 'changed', kind: 'Secret', namespace })
  expect(change?.before).toContain(mask)
  expect(`${change?.before}${change?.after}`).not.toMatch(/b25l|dHdv/)
})

test('objects are compared by content rather than notation, and under any version of their API', () => {
  const before = read(
    'kind: Ingress\napiVersion: networking.k8s.io/v1beta1\nmetadata: { name: a }\nspec: { x: 1, y: 2 }\n',
  )
  const after = read(
    'kind: Ingress\napiVersion: networking.k8s.io/v1beta1\nspec: { y: 2, x: 1 }\nmetadata: { name: a }\n',
  )
  expect(changesBetween(before, after).map(({ change }) => change)).toEqual(['same'])
  const newer = read('kind: Ingress\napiVersion: networking.k8s.io/v1\nmetadata: { name: a }\n')
  expect(changesBetween(before, newer).map(({ change }) => change)).toEqual(['changed'])
  expect(changesBetween(before, []).map(({ change }) => change)).toEqual(['removed'])
})

test.each([
  ['cluster-wide', 'kind: ClusterRole\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: { name: a }\n'],
  ['definition', 'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nmetadata: { name: a }\n'],
  ['foreign-namespace', 'kind: ConfigMap\napiVersion: v1\nmetadata: { name: a, namespace: kube-system }\n'],
  [
    'foreign-namespace',
    'kind: List\napiVersion: v1\nitems: [{ kind: ConfigMap, apiVersion: v1, metadata: { namespace: x } }]\n',
  ],
  ['not-allowed', 'kind: NetworkPolicy\napiVersion: networking.k8s.io/v1\nmetadata: { name: a }\n'],
  ['not-allowed', 'kind: Database\napiVersion: example.test/v1\nmetadata: { name: a }\n'],
  ['reserved', 'kind: Role\napiVersion: rbac.authorization.k8s.io/v1\nmetadata: { name: gantry-team }\n'],
  ['reserved', 'kind: ConfigMap\napiVersion: v1\nmetadata: { name: a, labels: { gantry.dev/service: web } }\n'],
  ['reserved', podsWith('{ volumes: [{ name: a, persistentVolumeClaim: { claimName: gantry-host-0123456789ab } }] }')],
  ['privileged', podsWith('{ hostNetwork: true }')],
  ['privileged', podsWith('{ volumes: [{ name: a, hostPath: { path: / } }] }')],
  ['privileged', podsWith('{ containers: [{ securityContext: { privileged: true } }] }')],
  ['privileged', podsWith('{ initContainers: [{ securityContext: { capabilities: { add: [SYS_ADMIN] } } }] }')],
  ['privileged', podsWith('{ containers: [{ ports: [{ hostPort: 80 }] }] }')],
])('an object that only an administrator may deploy is found with the reason %s', (reason, text) => {
  expect(findingsIn(read(text), namespace)).toMatchObject([{ reason }])
})

test('ordinary objects have no findings, but definitions outside the templates have', () => {
  const harmless = podsWith('{ containers: [{ securityContext: { capabilities: { add: [NET_BIND_SERVICE] } } }] }')
  expect(findingsIn(read(harmless), namespace)).toEqual([])
  expect(findingsIn([], namespace, ['things.example.test'])).toMatchObject([{ name: 'things.example.test' }])
})

test('limits count for every pod, and containers without limits count with the namespace’s', () => {
  const limited = podsWith('{ containers: [{ resources: { limits: { cpu: 250m, memory: 1Gi } } }] }')
  expect(demandOf(read(limited))).toEqual({ cpu: 0.5, memory: 2 })
  expect(demandOf(read(podsWith('{ containers: [{ name: c }] }')))).toEqual({ cpu: 1, memory: 1 })
})

test('a manifest with invalid YAML is refused', () => {
  expect(() => read('a: [')).toThrow('helm-manifest-invalid')
})
