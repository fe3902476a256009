import { expect } from 'vitest'
import { eventually } from '@gantry/waiting/eventually'
import type { Kube } from '../src/adapters/kube/client.ts'
import { persistentVolumeClaims, persistentVolumes } from '../src/adapters/kube/resources.ts'

const storageClassName = 'manual'
const accessModes = ['ReadWriteOnce' as const]

const phase = (kube: Kube, name: string, wanted: string) =>
  eventually(async () => expect((await kube.get(persistentVolumes, { name })).status?.phase).toBe(wanted))

/** A volume with its claim, created without the product. */
export async function boundVolume(kube: Kube, name: string, namespace: string): Promise<void> {
  await kube.create(persistentVolumes, {
    metadata: { name },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes,
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName,
      nfs: { server: '10.0.0.1', path: '/x' },
    },
  })
  await kube.create(persistentVolumeClaims, {
    metadata: { name: 'data', namespace },
    spec: { accessModes, resources: { requests: { storage: '1Gi' } }, storageClassName, volumeName: name },
  })
  await phase(kube, name, 'Bound')
}

/** A released volume, as such a claim leaves behind. */
export async function releasedVolume(kube: Kube, name: string, namespace: string): Promise<void> {
  await boundVolume(kube, name, namespace)
  await kube.remove(persistentVolumeClaims, { name: 'data', namespace })
  await phase(kube, name, 'Released')
}
