import { describe, expect, test } from 'vitest'
import { podRow } from './pod-row.ts'
import { volumeRow } from './storage-rows.ts'

type Volume = Parameters<typeof volumeRow>[0]

const volume = (spec: Volume['spec'], status: Volume['status'] = { phase: 'Available' }): Volume => ({
  metadata: { name: 'v', uid: 'u' },
  spec: { capacity: { storage: '1536Mi' }, accessModes: ['ReadWriteOnce'], ...spec },
  status,
})

test('a volume’s row', () => {
  const claimRef = { namespace: 'shop', name: 'data', uid: 'c' }
  const row = volumeRow(
    volume(
      { claimRef, persistentVolumeReclaimPolicy: 'Delete', storageClassName: 'fast', nfs: { server: 'n', path: '/x' } },
      { phase: 'Failed', message: 'no deleter' },
    ),
  )
  expect(row).toMatchObject({
    name: 'v',
    capacity: 1536 * 2 ** 20,
    accessModes: ['ReadWriteOnce'],
    reclaimPolicy: 'Delete',
    phase: 'Failed',
    driver: 'fast',
    claim: claimRef,
    message: 'no deleter',
  })
  expect(volumeRow({})).toMatchObject({ capacity: 0, phase: 'Pending', claim: undefined, source: '' })
})

test.each<[string, NonNullable<Volume['spec']>]>([
  ['nfs 10.0.0.1:/x', { nfs: { server: '10.0.0.1', path: '/x' } }],
  ['hostPath /data', { hostPath: { path: '/data', type: '' } }],
  ['local /data', { local: { path: '/data' }, nodeAffinity: { required: { nodeSelectorTerms: [] } } }],
  ['csi csi.example.test', { csi: { driver: 'csi.example.test', volumeHandle: 'secret-handle' }, volumeMode: 'Block' }],
  ['iscsi', { mountOptions: ['ro'], iscsi: { iqn: 'i', lun: 0, targetPortal: 'p' } }],
])('has its source: %s', (source, spec) => {
  expect(volumeRow(volume(spec)).source).toBe(source)
})

describe('the claims of a pod', () => {
  const claims = (volumes: object[]) =>
    podRow({ metadata: { name: 'web-0' }, spec: { containers: [], volumes: volumes as never[] } }).claims

  test('are those that its spec names, and those that are created for it', () => {
    expect(
      claims([
        { name: 'a', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
        { name: 'c', emptyDir: {} },
      ]),
    ).toEqual(['data', 'web-0-scratch'])
  })

  test('cost nothing for pods without any', () => {
    expect(claims([])).toBe(claims([{ name: 'c', emptyDir: {} }]))
  })
})
