import type { Cluster } from '@gantry/contract/clusters/clusters'
import { t } from '../../../api/language.ts'
import { useUser } from '../../../api/session.ts'
import { DriverSection } from './driver-section.tsx'
import { HostFolderSection } from './host-folder-section.tsx'
import { VolumeSection } from './volume-section.tsx'
import styles from './storage.module.css'

/** The volumes of a cluster, and the drivers that provision them. */
export function StorageTab({ cluster }: { cluster: Cluster }) {
  const { admin } = useUser()
  const disabled = !cluster.alone && t('clusters-shared')
  return (
    <div className={styles.page}>
      <VolumeSection cluster={cluster} disabled={disabled} />
      <DriverSection cluster={cluster} disabled={disabled} />
      {admin && <HostFolderSection cluster={cluster} />}
    </div>
  )
}
