import { openstack, type OpenStack } from '@gantry/contract/openstack/openstack'
import { zones } from '@gantry/contract/openstack/zones'
import { pageCap } from '@gantry/contract/paging'
import { call } from '../../api/call.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { refreshReads } from '../../api/queries.ts'
import { t } from '../../api/language.ts'
import { toast } from '../../api/notices.ts'
import { confirmDelete } from '../../ui/feedback/dialog.tsx'

/** The refetch interval while a row is written or removed: a background job may finish that without an event. */
export const askAgain = (rows: readonly { state: string }[] = []): number | false =>
  rows.some(({ state }) => state !== 'ready') && 5000

/** Whether the removal has finished, or continues in the background. */
export const howRemoved = ({ gone }: { gone: boolean }, { named = '' }: { named?: string }): string =>
  t(gone ? 'delete-success' : 'delete-status', { object: named })

/** As much as one answer may contain. */
export const wholePage = { limit: pageCap }

export function useOpenStacks(env: string | undefined) {
  const input = { params: { env: env ?? '' }, query: wholePage }
  const options = { enabled: env !== undefined, keep: false }
  const query = useRead(openstack.list, input, options)
  useRead(openstack.list, input, { ...options, every: askAgain(query.data?.items) })
  return query
}

/** Deletes a connection, after counting its zones, which are deleted with it. */
export function useRemoveOpenStack(): (row: OpenStack) => Promise<boolean> {
  const remove = useWrite(openstack.remove, { done: howRemoved, quiet: true })
  return async (row) => {
    const params = { env: row.envUuid, uuid: row.uuid }
    try {
      const { zoneNum } = await call(openstack.check, { params })
      const going =
        zoneNum === 0 ? [] : (await call(zones.list, { params: { env: row.envUuid }, query: wholePage })).items
      return await confirmDelete({
        title: t('prompt-delete-openstack', { name: row.name }),
        goes: going.filter((zone) => zone.openStackUuid === row.uuid).map(({ name }) => name),
        ...(zoneNum > 0 && { warning: t('delete-openstack-warn', { count: zoneNum }) }),
        // even a partly failed deletion has changed something
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
