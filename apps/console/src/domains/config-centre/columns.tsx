import { configReaders } from '@gantry/contract/config-centre/readers'
import { t } from '../../api/language.ts'
import type { Needs } from '../../api/session.ts'
import type { Column } from '../../ui/table/column.ts'
import type { Action } from '../../ui/table/row-actions.tsx'
import { Time } from '../../ui/time.tsx'

interface Row {
  services: number
  updatedAt: string
  updatedBy: string
}

/** The number of services that read it. */
export const servicesColumn = <R extends Row>(): Column<R> => ({
  key: 'services',
  title: t('config-ui-services'),
  align: 'right',
  width: 96,
  wideOnly: true,
  cell: (row) => row.services,
})

/** Who changed it last, and when. */
export const changeColumns = <R extends Row>(): Column<R>[] => [
  { key: 'by', title: t('ui-changed-by'), width: 140, wideOnly: true, cell: (row) => row.updatedBy },
  {
    key: 'updatedAt',
    title: t('ui-changed'),
    sort: true,
    width: 160,
    cell: (row) => <Time at={row.updatedAt} />,
  },
]

/** A link to the services that read it. */
export const readersAction = (onClick: () => void): Action => ({
  key: 'readers',
  label: t('config-ui-readers'),
  icon: 'link',
  needs: configReaders.list,
  onClick,
})

export const deleteAction = (needs: Needs, onClick: () => void): Action => ({
  key: 'delete',
  label: t('ui-delete'),
  icon: 'delete',
  danger: true,
  needs,
  onClick,
})
