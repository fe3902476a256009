import { configReaders } from '@gantry/contract/config-centre/readers'
import { t } from '../../api/language.ts'
import type { Column } from '../../ui/table/column.ts'
import { numberColumn } from '../../ui/table/number-column.ts'
import type { Action } from '../../ui/table/row-actions.tsx'
import { timeColumn } from '../../ui/table/time-column.tsx'

interface Row {
  services: number
  updatedAt: string
  updatedBy: string
}

/** The number of services that read it. */
export const servicesColumn = <R extends Row>(): Column<R> =>
  numberColumn('services', t('config-ui-services'), { width: 96, wideOnly: true })

/** Who changed it last, and when. */
export const changeColumns = <R extends Row>(): Column<R>[] => [
  { key: 'by', title: t('ui-changed-by'), width: 140, wideOnly: true, cell: (row) => row.updatedBy },
  timeColumn('updatedAt', t('ui-changed'), { sort: true, width: 160 }),
]

/** A link to the services that read it. */
export const readersAction = (onClick: () => void): Action => ({
  key: 'readers',
  label: t('config-ui-readers'),
  icon: 'link',
  needs: configReaders.list,
  onClick,
})
