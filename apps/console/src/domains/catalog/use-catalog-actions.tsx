import type { ReactNode } from 'react'
import { type Catalog, catalogs } from '@gantry/contract/catalog/catalogs'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { confirmDelete, useDialog } from '../../ui/feedback/dialog.tsx'
import { type Action, deleteAction, editAction } from '../../ui/table/row-actions.tsx'
import { CatalogDialog } from './catalog-dialog.tsx'
import { ImageDialog } from './image-dialog.tsx'

/** An administrator's actions on a preset service; `dialogs` must be rendered somewhere. */
export function useCatalogActions(): {
  actionsOf: (catalog: Catalog, gone?: () => void) => Action[]
  dialogs: ReactNode
} {
  const editing = useDialog<Catalog>()
  const picturing = useDialog<Catalog>()
  const remove = useWrite(catalogs.remove, { done: 'delete-success', quiet: true })
  const ask = ({ id, name, versionNum, draftNum }: Catalog) => {
    const count = versionNum + draftNum
    return confirmDelete({
      title: t('catalog-ui-delete-title', { name }),
      text: t('catalog-ui-delete-text'),
      goes: count > 0 ? [t('catalog-ui-delete-versions', { count })] : [],
      run: () => remove.mutateAsync({ named: name, params: { id } }),
    })
  }
  return {
    actionsOf: (catalog, gone) => [
      editAction({ onClick: () => editing.show(catalog) }),
      { key: 'image', label: t('products-ui-image'), icon: 'image', onClick: () => picturing.show(catalog) },
      deleteAction({ onClick: () => void ask(catalog).then((yes) => yes && gone?.()) }),
    ],
    dialogs: (
      <>
        {editing.open && <CatalogDialog catalog={editing.open} onClose={editing.hide} />}
        {picturing.open && <ImageDialog catalog={picturing.open} onClose={picturing.hide} />}
      </>
    ),
  }
}
