import { configReaders } from '@gantry/contract/config-centre/readers'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import { useTeamId } from '../../ui/link.tsx'

/** The number of services that are named. */
const most = 10

interface RestartsProps {
  project: string
  profile?: string
  template?: string
}

/** The services that a change of a profile or a template restarts, shown before it is saved. */
export function Restarts(of: RestartsProps) {
  const params = { teamId: useTeamId() }
  const may = useMay(configReaders.list)
  const { data } = useRead(configReaders.list, { params, query: { ...of, pageSize: most } }, { enabled: may })
  if (!may) return <p className="g-note g-note-warn">{t('config-ui-restarts-unknown')}</p>
  if (!data) return null
  const names = data.items.map(({ stack, service }) => `${stack}/${service}`).join(', ')
  const left = data.totalSize - data.items.length
  const services = left > 0 ? t('config-ui-restarts-more', { services: names, count: left }) : names
  return data.totalSize === 0 ? (
    <p className="g-note">{t('config-ui-restarts-none')}</p>
  ) : (
    <p className="g-note g-note-warn">{t('config-ui-restarts', { count: data.totalSize, services })}</p>
  )
}
