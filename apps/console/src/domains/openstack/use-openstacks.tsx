import { openstack, type OpenStack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { pageCap } from '@gantry/contract/paging'
import { call } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { refreshReads } from '../../api/queries.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { confirm } from '../../ui/feedback/dialog.tsx'

/** What is on its way into a cluster or out of it is asked for again: a job may end that too, and it tells nobody. */
export const askAgain = (rows: readonly { state: string }[] = []): number | false =>
  rows.some(({ state }) => state !== 'ready') && 5000

/** What is not gone by the time of the answer goes in the background. */
export const howRemoved = ({ gone }: { gone: boolean }, { named = '' }: { named?: string }): string =>
  t(gone ? 'delete-success' : 'delete-status', { object: named })

/** All that one answer holds. */
export const wholePage = { limit: pageCap }

export function useOpenStacks(env: string | undefined) {
  const input = { params: { env: env ?? '' }, query: wholePage }
  const options = { enabled: env !== undefined, keep: false }
  const query = useRead(openstack.list, input, options)
  useRead(openstack.list, input, { ...options, every: askAgain(query.data?.items) })
  return query
}

/** Deleting a connection: first its zones are counted, because they go with it. */
export function useRemoveOpenStack(): (row: OpenStack) => Promise<boolean> {
  const remove = useWrite(openstack.remove, { done: howRemoved, quiet: true })
  return async (row) => {
    const params = { env: row.envUuid, uuid: row.uuid }
    try {
      const { zoneNum } = await call(openstack.check, { params })
      const going =
        zoneNum === 0 ? [] : (await call(zones.list, { params: { env: row.envUuid }, query: wholePage })).items
      return await confirm({
        title: t('prompt-delete-openstack', { name: row.name }),
        goes: going.filter((zone) => zone.openStackUuid === row.uuid).map(({ name }) => name),
        ...(zoneNum > 0 && { warning: t('delete-openstack-warn', { count: zoneNum }) }),
        danger: true,
        ok: t('ui-delete'),
        // what failed in between has changed things too
        run: () =>
          remove
            .mutateAsync({ named: `${t('noun-openstack')} ${row.name}`, params })
            .finally(() => void refreshReads([openstack.remove])),
      })
    } catch (error) {
      toast.error(error)
      return false
    }
  }
}
