import { useState } from 'react'
import { z } from 'zod'
import { blueprints, type BlueprintRow } from '@gantry/contract/blueprints/blueprints'
import { catalogs } from '@gantry/contract/catalog/catalogs'
import { CatalogTemplateInput, catalogTemplates } from '@gantry/contract/catalog/templates'
import { call } from '../../api/call.ts'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { Field } from '../../ui/form/form.tsx'
import { RemoteSelect } from '../../ui/form/remote-select.tsx'
import { VersionFields } from './version-fields.tsx'

const schema = CatalogTemplateInput.omit({ template: true }).extend({ catalogId: z.number('field-required').int() })

/** Adds a version of a product to the catalogue, as a version of a preset service. */
export function BringDialog({ blueprint, onClose }: { blueprint: BlueprintRow; onClose: () => void }) {
  const { id, teamId, productName, version, description } = blueprint
  const create = useWrite(catalogTemplates.create, { done: 'add-success', quiet: true })
  const name = `${productName} ${version}`
  return (
    <FormDialog
      title={t('catalog-ui-bring-title', { name })}
      onClose={onClose}
      about={<p className="g-dialog-text g-faint">{t('catalog-ui-bring-memo')}</p>}
      schema={schema}
      initial={{ version, notes: description, published: false }}
      submit={t('catalog-ui-bring')}
      onSubmit={async (values) => {
        const { template } = await call(blueprints.get, { params: { teamId, id } })
        await create.mutateAsync({ named: name, body: { ...values, template } })
      }}
    >
      <Field name="catalogId" label={t('catalog-ui-bring-to')}>
        <CatalogSelect />
      </Field>
      <VersionFields />
    </FormDialog>
  )
}

function CatalogSelect({ id, onChange }: { id?: string; onChange?: (value: number | undefined) => void }) {
  const [chosen, setChosen] = useState<{ value: number; valueLabel: string }>()
  return (
    <RemoteSelect
      {...(id === undefined ? {} : { id })}
      endpoint={catalogs.list}
      pageSize={10}
      option={(catalog) => ({ value: catalog.id, label: catalog.name })}
      {...chosen}
      onChange={(value, item) => {
        setChosen(value === undefined ? undefined : { value, valueLabel: item?.name ?? '…' })
        onChange?.(value)
      }}
    />
  )
}
