import type { V1ConfigMap, V1Namespace, V1Secret } from '@kubernetes/client-node'
import { labels, managed } from '../../adapters/kube/labels.ts'
import type { Wire } from '../../adapters/kube/objects.ts'
import type { Account } from '../../adapters/openstack/openstack.ts'
import { accountConf, type WrittenZone, zoneConf } from './kuryr.ts'

/** Where the cluster's Kuryr controller runs and reads its zones. */
export const kuryrNamespace = 'kuryr-system'

/** Name of a zone's ConfigMap and Secret; zone names are DNS names of at most 30 characters. */
export const objectName = (zone: string): string => `kuryr-zone-${zone}`

/** Name of the file in each; Kuryr reads several (`--config-file`, `--config-dir`) and joins their sections. */
const file = 'kuryr.conf'

const metadata = ({ uuid, name }: WrittenZone) => ({
  name: objectName(name),
  namespace: kuryrNamespace,
  labels: { ...managed, [labels.zone]: uuid },
})

export const namespaceObject = (): Wire<V1Namespace> => ({
  metadata: { name: kuryrNamespace, labels: managed },
})

export const zoneConfigMap = (zone: WrittenZone): Wire<V1ConfigMap> => ({
  metadata: metadata(zone),
  data: { [file]: zoneConf(zone) },
})

export const zoneSecret = (zone: WrittenZone, account: Account): Wire<V1Secret> => ({
  metadata: metadata(zone),
  type: 'Opaque',
  data: { [file]: Buffer.from(accountConf(account)).toString('base64') },
})
