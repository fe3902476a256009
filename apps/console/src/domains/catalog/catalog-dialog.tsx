import { Input, Select, Switch } from 'antd'
import { useState } from 'react'
import { type Catalog, CatalogInput, catalogs, catalogTags } from '@gantry/contract/catalog/catalogs'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { TeamsSelect } from '../teams/public.tsx'

interface CatalogDialogProps {
  /** The service to change; absent: a new one. */
  catalog?: Catalog
  onClose: () => void
  onDone?: (catalog: Catalog) => void
}

/** Adds a preset service, or changes its name, its tags and the teams that may deploy it. */
export function CatalogDialog({ catalog, onClose, onDone }: CatalogDialogProps) {
  const tags = useRead(catalogTags.list)
  const [forAll, setForAll] = useState(catalog?.forAll ?? true)
  const create = useWrite(catalogs.create, { done: 'add-success', quiet: true })
  const update = useWrite(catalogs.update, { done: 'update-success', quiet: true })
  return (
    <FormDialog
      title={catalog ? t('catalog-ui-edit-title', { name: catalog.name }) : t('catalog-ui-add')}
      onClose={onClose}
      schema={CatalogInput}
      initial={catalog ? inputOf(catalog) : { forAll: true, tagIds: [], teamIds: [] }}
      submit={catalog ? t('ui-save') : t('catalog-ui-add')}
      onChange={(values) => setForAll(values.forAll ?? true)}
      onSubmit={async (body) => {
        const done = await (catalog
          ? update.mutateAsync({
              named: catalog.name,
              params: { id: catalog.id },
              body: { ...body, revision: catalog.revision },
            })
          : create.mutateAsync({ named: body.name, body }))
        onDone?.(done)
      }}
    >
      <Field name="name" label={t('catalog-ui-name')}>
        <Input autoFocus maxLength={30} />
      </Field>
      <Field name="description" label={t('catalog-ui-description')}>
        <Input.TextArea rows={3} maxLength={1000} />
      </Field>
      <Field name="tagIds" label={t('catalog-ui-tags')}>
        <Select
          mode="multiple"
          className="g-select"
          placeholder={t('ui-choose-one')}
          loading={tags.isLoading}
          optionFilterProp="label"
          options={(tags.data ?? catalog?.tags ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Field>
      <Field name="forAll" label={t('catalog-ui-for-all')} help={t('catalog-ui-for-all-help')} value="checked">
        <Switch />
      </Field>
      {!forAll && (
        <Field name="teamIds" label={t('catalog-ui-teams')} help={t('catalog-ui-teams-help')}>
          <TeamsSelect />
        </Field>
      )}
    </FormDialog>
  )
}

const inputOf = ({ name, description, tags, forAll, teams }: Catalog): CatalogInput => ({
  name,
  description,
  tagIds: tags.map(({ id }) => id),
  forAll,
  teamIds: teams.map(({ id }) => id),
})
