import type { ReactNode } from 'react'
import type { Does } from '../may.tsx'
import { useAsked } from '../asked.ts'
import { Button } from '../button.tsx'
import type { EmptyProps } from '../feedback/empty-state.tsx'
import { Page, type PageProps } from '../page.tsx'
import { ResourceTable, type TableProps } from './resource-table.tsx'

interface Add {
  label: string
  needs?: Does
  /** Why nothing can be added now. */
  disabled?: string
  onClick: () => void
}

interface ListPageProps<R> extends Omit<TableProps<R>, 'label' | 'empty'>, Pick<PageProps, 'about' | 'crumbs'> {
  /** The name of the page and its table. */
  title: string
  /** The primary button, which is also the first step of an empty list. */
  add?: Add
  /** Buttons before it. */
  more?: ReactNode
  empty?: Omit<EmptyProps, 'add'>
  /** Dialogs. */
  children?: ReactNode
}

/** A screen with one list: its head with the button that adds to it, and its table. */
export function ListPage<R>({ title, about, crumbs, add, more, empty, children, ...table }: ListPageProps<R>) {
  return (
    <Page
      title={title}
      {...(about === undefined ? {} : { about })}
      {...(crumbs === undefined ? {} : { crumbs })}
      actions={
        (add ?? more) && (
          <>
            {more}
            {add && <AddButton {...add} />}
          </>
        )
      }
    >
      <ResourceTable
        label={title}
        {...table}
        empty={{ ...empty, ...(add === undefined || add.disabled !== undefined ? {} : { add }) }}
      />
      {children}
    </Page>
  )
}

function AddButton({ label, needs, disabled, onClick }: Add) {
  useAsked('create', disabled === undefined ? onClick : undefined)
  return (
    <Button
      primary
      icon="add"
      disabled={disabled ?? false}
      {...(needs === undefined ? {} : { needs })}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
