import { Input } from 'antd'
import { useState } from 'react'
import { type CatalogTag, catalogTags } from '@gantry/contract/catalog/catalogs'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import styles from './catalog.module.css'

/** The tags by which preset services are found. */
export function TagsDialog({ onClose }: { onClose: () => void }) {
  const query = useRead(catalogTags.list)
  const create = useWrite(catalogTags.create, { done: 'add-success', quiet: true })
  const remove = useWrite(catalogTags.remove, { done: 'delete-success' })
  // changes for each new tag, to reset the form
  const [turn, setTurn] = useState(0)
  return (
    <Dialog title={t('catalog-ui-tags-title')} onClose={onClose}>
      <Loaded query={query}>
        {(tags) =>
          tags.length === 0 ? (
            <p className="g-faint">{t('catalog-ui-tags-none')}</p>
          ) : (
            <ul className={styles.tagList}>
              {tags.map((tag) => (
                <TagRow
                  key={tag.id}
                  tag={tag}
                  busy={remove.isPending}
                  onRemove={() => remove.mutate({ named: tag.name, params: { id: tag.id } })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Form
        key={turn}
        schema={catalogTags.create.body}
        submit={t('catalog-ui-tag-add')}
        onCancel={onClose}
        onSubmit={async (body) => {
          await create.mutateAsync({ named: body.name, body })
          setTurn(turn + 1)
        }}
      >
        <Field name="name" label={t('catalog-ui-tag-new')}>
          <Input autoFocus maxLength={30} />
        </Field>
      </Form>
    </Dialog>
  )
}

function TagRow({
  tag: { name, catalogNum },
  busy,
  onRemove,
}: {
  tag: CatalogTag
  busy: boolean
  onRemove: () => void
}) {
  return (
    <li>
      <span>
        {name} <small className="g-faint">{t('catalog-ui-tag-used', { count: catalogNum })}</small>
      </span>
      <Button
        quiet
        small
        icon="delete"
        label={t('catalog-ui-tag-delete', { name })}
        loading={busy}
        disabled={catalogNum > 0 && t('catalog-tag-in-use', { name, count: catalogNum })}
        onClick={onRemove}
      />
    </li>
  )
}
