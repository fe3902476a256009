import { type CatalogTemplate, CatalogTemplateInput, catalogTemplates } from '@gantry/contract/catalog/templates'
import { platformVersion } from '@gantry/tosca/version'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { Loaded } from '../../ui/detail.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { TemplateField } from './template-field.tsx'
import { VersionFields } from './version-fields.tsx'

/** The initial template of a new version. */
const beginning = `tosca_definitions_version: ${platformVersion}
topology_template:
  inputs: {}
  node_templates: {}
`

interface TemplateDialogProps {
  catalog: { id: number; name: string }
  /** The version to change, or to copy; absent: a new one. */
  of?: { id: number; version: string; copy: boolean }
  onClose: () => void
}

/** Creates or changes a version of a preset service. */
export function TemplateDialog({ catalog, of, onClose }: TemplateDialogProps) {
  const query = useRead(
    catalogTemplates.get,
    { params: { id: of?.id ?? 0 } },
    { enabled: of !== undefined, keep: false, staleMs: 0 },
  )
  const title =
    of === undefined || of.copy
      ? t('catalog-ui-version-add-title', { name: catalog.name })
      : t('catalog-ui-version-edit-title', { version: of.version })
  return (
    <Dialog title={title} width={768} closes="asked" onClose={onClose}>
      {of === undefined ? (
        <TemplateForm catalogId={catalog.id} initial={{ template: beginning, published: false }} onClose={onClose} />
      ) : (
        <Loaded query={query}>
          {(template) => (
            <TemplateForm
              catalogId={catalog.id}
              {...(of.copy
                ? { initial: { template: template.template, published: false } }
                : { initial: inputOf(template), template })}
              onClose={onClose}
            />
          )}
        </Loaded>
      )}
    </Dialog>
  )
}

const inputOf = ({ version, notes, template, published }: CatalogTemplate): CatalogTemplateInput => ({
  version,
  notes,
  template,
  published,
})

interface TemplateFormProps {
  catalogId: number
  initial: Partial<CatalogTemplateInput>
  template?: CatalogTemplate
  onClose: () => void
}

function TemplateForm({ catalogId, initial, template, onClose }: TemplateFormProps) {
  const create = useWrite(catalogTemplates.create, { done: 'create-success', quiet: true })
  const update = useWrite(catalogTemplates.update, { done: 'save-success', quiet: true })
  return (
    <Form
      schema={CatalogTemplateInput}
      initial={initial}
      submit={template ? t('ui-save') : t('catalog-ui-version-add')}
      onCancel={onClose}
      onSubmit={async (body) => {
        await (template
          ? update.mutateAsync({
              named: body.version,
              params: { id: template.id },
              body: { ...body, revision: template.revision },
            })
          : create.mutateAsync({ named: body.version, body: { ...body, catalogId } }))
        onClose()
      }}
    >
      <VersionFields />
      <Field name="template" label={t('catalog-ui-template')} help={t('catalog-ui-template-help')}>
        <TemplateField />
      </Field>
    </Form>
  )
}
