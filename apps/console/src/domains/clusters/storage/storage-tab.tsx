import type { Environment } from '@gantry/contract/clusters/environments'
import { t } from '../../../api/language.ts'
import { useUser } from '../../../api/session.ts'
import { DriverSection } from './driver-section.tsx'
import { HostFolderSection } from './host-folder-section.tsx'
import { VolumeSection } from './volume-section.tsx'
import styles from './storage.module.css'

/** The volumes of a cluster, and the drivers that provision them. */
export function StorageTab({ environment }: { environment: Environment }) {
  const { admin } = useUser()
  const disabled = !environment.alone && t('clusters-shared')
  return (
    <div className={styles.page}>
      <VolumeSection environment={environment} disabled={disabled} />
      <DriverSection environment={environment} disabled={disabled} />
      {admin && <HostFolderSection environment={environment} />}
    </div>
  )
}
