/* oxlint-disable vitest/no-standalone-expect -- run.ts makes a test of each case */
import { expect } from 'vitest'
import type { Json } from '../trial/client.ts'
import { must, root, type Case } from '../trial/trial.ts'

type Cause = [reason: string, field: string, message: string]

interface Refused {
  title: string
  group: string
  plural: string
  body: Json
  causes: Cause[]
}

const required = (field: string, detail = ''): Cause => [
  'FieldValueRequired',
  field,
  detail ? `Required value: ${detail}` : 'Required value',
]
const invalid = (field: string, message: string): Cause => ['FieldValueInvalid', field, `Invalid value: ${message}`]
const odd = (field: string, value: string, supported: string[]): Cause => [
  'FieldValueNotSupported',
  field,
  `Unsupported value: ${value}: supported values: ${supported.map((one) => `"${one}"`).join(', ')}`,
]
const forbidden = (field: string, message: string): Cause => ['FieldValueForbidden', field, `Forbidden: ${message}`]

const volume = (title: string, spec: Json, ...causes: Cause[]): Refused => ({
  title: `a volume ${title}`,
  group: 'v1',
  plural: 'persistentvolumes',
  body: { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' }, ...spec } },
  causes,
})
const storageClass = (title: string, more: Json, ...causes: Cause[]): Refused => ({
  title: `a storage class ${title}`,
  group: 'storage.k8s.io/v1',
  plural: 'storageclasses',
  body: { provisioner: 'contract.example/none', ...more },
  causes,
})
const ingressClass = (title: string, controller: string | undefined, ...causes: Cause[]): Refused => ({
  title: `an ingress class ${title}`,
  group: 'networking.k8s.io/v1',
  plural: 'ingressclasses',
  body: { spec: { controller } },
  causes,
})

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

const rows: Refused[] = [
  volume(
    'without a size',
    { capacity: undefined },
    required('spec.capacity'),
    odd('spec.capacity', 'null', ['storage']),
  ),
  volume(
    'of no size',
    { capacity: { storage: '0' } },
    invalid('spec.capacity[storage]', '"0": must be greater than zero'),
  ),
  volume('without access', { accessModes: undefined }, required('spec.accessModes')),
  volume('of odd access', { accessModes: ['Odd'] }, odd('spec.accessModes', '"Odd"', modes)),
  volume(
    'for one pod and for many',
    { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
    forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes'),
  ),
  volume('that lies nowhere', { hostPath: undefined }, required('spec', 'must specify a volume type')),
  volume(
    'that lies in two places',
    { nfs: { server: 'a', path: '/b' } },
    forbidden('spec.nfs', 'may not specify more than 1 volume type'),
  ),
  volume(
    'of a server that is not named',
    { hostPath: undefined, nfs: { server: '', path: 'b' } },
    required('spec.nfs.server'),
    invalid('spec.nfs.path', '"b": must be an absolute path'),
  ),
  volume('without a path', { hostPath: { path: '' } }, required('spec.hostPath.path')),
  volume(
    'of a path that climbs',
    { hostPath: { path: '/a/../b' } },
    invalid('spec.hostPath.path', `"/a/../b": must not contain '..'`),
  ),
  volume(
    'of a machine that is not named',
    { hostPath: undefined, local: { path: '/b' } },
    required('spec.nodeAffinity', 'Local volume requires node affinity'),
  ),
  volume(
    'with an odd end',
    { persistentVolumeReclaimPolicy: 'Odd' },
    odd('spec.persistentVolumeReclaimPolicy', '"Odd"', ['Delete', 'Recycle', 'Retain']),
  ),
  storageClass('without a maker', { provisioner: undefined }, required('provisioner')),
  storageClass(
    'with an odd end',
    { reclaimPolicy: 'Recycle' },
    odd('reclaimPolicy', '"Recycle"', ['Delete', 'Retain']),
  ),
  storageClass(
    'that binds oddly',
    { volumeBindingMode: 'Odd' },
    odd('volumeBindingMode', '"Odd"', ['Immediate', 'WaitForFirstConsumer']),
  ),
  storageClass(
    'with a parameter of no name',
    { parameters: { '': '1' } },
    invalid('parameters', '"": field can not be empty.'),
  ),
  ingressClass('without a controller', undefined, required('spec.controller')),
  ingressClass(
    'of a controller without a domain',
    'abc',
    invalid('spec.controller', '"abc": must be a domain-prefixed path (such as "acme.io/foo")'),
  ),
]

interface Change {
  title: string
  group: string
  plural: string
  body: Json
  /** Merge patches, each with the cause of its refusal; undefined if it is accepted. */
  changes: [patch: Json, cause: Cause | undefined][]
}

const changes: Change[] = [
  {
    title: 'allowed and refused changes of a volume',
    group: 'v1',
    plural: 'persistentvolumes',
    body: volume('', { storageClassName: 'contract-none' }).body,
    changes: [
      [{ spec: { volumeMode: 'Block' } }, invalid('volumeMode', '"Block": field is immutable')],
      [{ spec: { capacity: { storage: '2Gi' } } }, undefined],
      [{ spec: { accessModes: ['ReadWriteMany'] } }, undefined],
      [{ spec: { storageClassName: 'contract-other' } }, undefined],
      [{ spec: { persistentVolumeReclaimPolicy: 'Delete' } }, undefined],
      [{ metadata: { labels: { tier: 'gold' } } }, undefined],
    ],
  },
  {
    title: 'allowed and refused changes of a storage class',
    group: 'storage.k8s.io/v1',
    plural: 'storageclasses',
    body: storageClass('', { parameters: { a: '1' } }).body,
    changes: [
      [{ provisioner: 'other.example/none' }, forbidden('provisioner', 'updates to provisioner are forbidden.')],
      [{ parameters: { a: '2' } }, forbidden('parameters', 'updates to parameters are forbidden.')],
      [{ reclaimPolicy: 'Retain' }, forbidden('reclaimPolicy', 'updates to reclaimPolicy are forbidden.')],
      [
        { volumeBindingMode: 'WaitForFirstConsumer' },
        invalid('volumeBindingMode', '"WaitForFirstConsumer": field is immutable'),
      ],
      [{ allowVolumeExpansion: true }, undefined],
    ],
  },
  {
    title: 'allowed and refused changes of an ingress class',
    group: 'networking.k8s.io/v1',
    plural: 'ingressclasses',
    body: ingressClass('', 'contract.example/none').body,
    changes: [
      [
        { spec: { controller: 'other.example/none' } },
        invalid('spec.controller', '"other.example/none": field is immutable'),
      ],
      [{ metadata: { labels: { tier: 'gold' } } }, undefined],
    ],
  },
]

const toJson = ([reason, field, message]: Cause): Json => ({ reason, field, message })

/** Refused storage and cluster-wide classes, with the field and the text. */
export const refusedClusterCases: Case[] = [
  ...rows.map(({ title, group, plural, body, causes }): Case => ({
    title,
    async run({ kube, name }) {
      const given = { ...body, metadata: { name: name('refused') } }
      const answer = await kube.call('POST', `${root(group)}/${plural}`, { body: given })
      expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid', details: { causes: causes.map(toJson) } })
      expect(answer.body.details.causes).toHaveLength(causes.length)
    },
  })),
  ...changes.map(({ title, group, plural, body, changes: steps }): Case => ({
    title,
    async run({ kube, name }) {
      const one = name('change')
      const collection = `${root(group)}/${plural}`
      must(await kube.call('POST', collection, { body: { ...body, metadata: { name: one } } }), 201)
      try {
        for (const [patch, cause] of steps) {
          const type = 'application/merge-patch+json'
          const answer = await kube.call('PATCH', `${collection}/${one}`, { body: patch, type })
          if (cause) expect(answer.body.details?.causes).toEqual([toJson(cause)])
          else must(answer, 200)
        }
      } finally {
        await kube.call('DELETE', `${collection}/${one}`)
      }
    },
  })),
]
