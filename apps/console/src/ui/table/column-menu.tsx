import { Dropdown, type MenuProps } from 'antd'
import { useState } from 'react'
import { t } from '../../api/language.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import type { ChosenColumns } from './chosen-columns.ts'

type Items = NonNullable<MenuProps['items']>

/** With fewer optional columns there is no menu. */
const leastOptional = 3

/** Selects the columns of the table: a menu that stays open during the selection. */
export function ColumnMenu<R>({ columns }: { columns: ChosenColumns<R> }) {
  const [open, setOpen] = useState(false)
  const { optional, isShown, choose, reset } = columns
  if (optional.length < leastOptional) return null
  const items: Items = [
    ...optional.map((column) => ({
      key: column.key,
      role: 'menuitemcheckbox',
      'aria-checked': isShown(column),
      onClick: () => choose(column, !isShown(column)),
      label: (
        <span className="g-column">
          <Icon name="check" size={14} />
          {column.title}
        </span>
      ),
    })),
    { type: 'divider' },
    { key: 'g-reset', disabled: reset === undefined, label: t('ui-columns-reset'), onClick: () => reset?.() },
  ]
  return (
    <Dropdown
      autoFocus
      open={open}
      menu={{ items }}
      trigger={['click']}
      placement="bottomRight"
      onOpenChange={(next, { source }) => {
        if (source === 'trigger' || next) setOpen(next)
      }}
    >
      <span className="g-menu">
        <Button quiet icon="columns" label={t('ui-columns')} />
      </span>
    </Dropdown>
  )
}
