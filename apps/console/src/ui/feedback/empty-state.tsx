import type { ReactNode } from 'react'
import { t } from '../../api/language.ts'
import { type Does, useLackingTo } from '../may.tsx'
import { Button } from '../button.tsx'
import { Illustration, type PageType } from './illustration.tsx'

export interface EmptyProps {
  type?: PageType
  /** Default: no data. */
  title?: string
  /** What the list contains, and what to do first. */
  memo?: ReactNode
  add?: { label: string; needs?: Does; onClick: () => void }
  /** For one of several lists on a page: a line without the picture. */
  small?: boolean
}

/** An empty list: what it contains, and the first step as a button, or who can take it. */
export function EmptyState({ type = 'other', title, memo, add, small = false }: EmptyProps) {
  const may = useLackingTo()(add?.needs) === undefined
  return (
    <div className={small ? 'g-empty g-empty-small' : 'g-empty'}>
      {!small && <Illustration type={type} />}
      <h2>{title ?? t('no-data')}</h2>
      {memo !== undefined && <p>{memo}</p>}
      {add && (
        <Button primary icon="add" onClick={add.onClick} {...(add.needs === undefined ? {} : { needs: add.needs })}>
          {add.label}
        </Button>
      )}
      {add && !may && <p className="g-empty-hint">{t('no-permission-to-create')}</p>}
    </div>
  )
}
