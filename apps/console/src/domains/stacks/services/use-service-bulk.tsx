import { Input } from 'antd'
import { services, type ServiceSummary } from '@gantry/contract/stacks/services'
import { workloadKinds } from '@gantry/contract/stacks/spec-run'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { t } from '../../../api/language.ts'
import type { BulkAction } from '../../../ui/table/bulk.tsx'
import { imageOf, imageParts } from '../spec/image-parts.ts'
import { allows, type ServiceAction } from './service-states.ts'

const at = ({ teamId, envId, id }: ServiceSummary) => ({ params: { teamId, envId, id } })

/** Why a request is not possible, in the server's words. */
const notNow = (service: ServiceSummary, ask: ServiceAction): string | false =>
  !allows(service.state, ask) && t(`stacks-not-now-${service.state}`, { name: service.name })

const runsNothing = ({ type, name }: ServiceSummary): string | false =>
  type !== 'business' && t('stacks-ui-runs-nothing', { name })

const isNotScaled = ({ name, workload }: ServiceSummary): string | false =>
  workload !== 'deployment' &&
  workload !== 'statefulset' &&
  t('stacks-not-scaled', { name, workload: workloadKinds[workload] })

/** Upgrades to the same image with another tag; drops the digest to which it was pinned. */
async function upgradeTo(service: ServiceSummary, tag: string): Promise<void> {
  const { spec, revision } = await call(services.get, at(service))
  const image = imageOf({ ...imageParts(spec.image), tag })
  await call(services.upgrade, { ...at(service), query: { revision }, body: { ...spec, image } })
}

/** Bulk actions on services, each with its own result. */
export function useServiceBulk(): readonly BulkAction<ServiceSummary>[] {
  const [typed, setTyped] = useState('')
  const tag = typed.trim()
  return [
    {
      key: 'start',
      needs: services.start,
      label: t('stacks-ui-start'),
      except: (row) => runsNothing(row) || (row.state !== 'stopped' && t('stacks-ui-not-stopped', { name: row.name })),
      run: (row) => call(services.start, at(row)),
    },
    {
      key: 'stop',
      needs: services.scale,
      label: t('stacks-ui-stop'),
      danger: true,
      ask: t('stacks-ui-stop-ask'),
      except: (row) =>
        runsNothing(row) ||
        isNotScaled(row) ||
        (row.state === 'stopped' && t('stacks-ui-stopped-already', { name: row.name })) ||
        notNow(row, 'scale'),
      run: (row) => call(services.scale, { ...at(row), query: { replicas: 0 } }),
    },
    {
      key: 'restart',
      needs: services.restart,
      label: t('stacks-ui-restart'),
      ask: t('stacks-ui-restart-ask'),
      except: (row) => runsNothing(row) || notNow(row, 'restart'),
      run: ({ teamId, envId, stackName, name }) =>
        call(services.restart, { params: { teamId, envId, stackName }, body: [name] }),
    },
    {
      key: 'upgrade',
      label: t('stacks-ui-upgrade-to'),
      needs: services.upgrade,
      ask: (
        <>
          <p>{t('stacks-ui-upgrade-to-ask')}</p>
          <Input
            autoFocus
            aria-label={t('stacks-ui-upgrade-to-tag')}
            placeholder={t('stacks-ui-upgrade-to-tag')}
            maxLength={128}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </>
      ),
      blocked: tag === '' && t('stacks-ui-upgrade-to-empty'),
      except: (row) => runsNothing(row) || notNow(row, 'upgrade'),
      run: (row) => upgradeTo(row, tag),
    },
    {
      key: 'delete',
      label: t('ui-delete'),
      needs: services.remove,
      danger: true,
      ask: t('stacks-ui-remove-ask'),
      except: (row) => notNow(row, 'remove'),
      run: ({ teamId, envId, id, type, name }) =>
        call(services.remove, { params: { teamId, envId, idAndType: `${id}_${type}` }, query: { confirm: name } }),
    },
  ]
}
