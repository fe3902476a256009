import type { Environment } from '@gantry/contract/clusters/environments'
import { t } from '../../api/language.ts'
import { useUser } from '../../api/session.ts'
import { DriverSection } from './driver-section.tsx'
import { VolumeSection } from './volume-section.tsx'
import './storage.css'

/** The volumes of a cluster, and the drivers that make them. */
export function StorageTab({ environment }: { environment: Environment }) {
  const { admin } = useUser()
  // Of another cluster that teams share, the server says so: who else uses it is not shown to everybody.
  const disabled = !admin && environment.sandbox && t('clusters-shared')
  return (
    <div className="st-page">
      <VolumeSection environment={environment} disabled={disabled} />
      <DriverSection environment={environment} disabled={disabled} />
    </div>
  )
}
