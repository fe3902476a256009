import { configTemplates, type Template, TemplateInput } from '@gantry/contract/config-centre/templates'
import { Input } from 'antd'
import { useRead, useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import { Loaded } from '../../ui/detail.tsx'
import { CodeField } from '../../ui/editor/code-field.tsx'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { Field, Form } from '../../ui/form/form.tsx'
import { useTeamId } from '../../ui/link.tsx'
import { Restarts } from './restarts.tsx'

interface TemplateDialogProps {
  project: string
  /** The template to open; absent: a new one. */
  open?: { uuid: string; name: string }
  onClose: () => void
}

const width = 960
/** Creates a template, or shows and changes one. A click outside the dialog does not discard input. */
export function TemplateDialog({ project, open, onClose }: TemplateDialogProps) {
  if (open) return <Opened {...open} onClose={onClose} />
  return (
    <Dialog width={width} closes="asked" title={t('config-ui-template-create')} onClose={onClose}>
      <Create project={project} onClose={onClose} />
    </Dialog>
  )
}

interface TextFieldProps {
  value?: string
  onChange?: (text: string) => void
  readOnly: boolean
}

/** Templates are files of any type: no syntax highlighting. */
const plain: [] = []

const TextField = ({ value = '', onChange, readOnly }: TextFieldProps) => (
  <CodeField
    label={t('config-ui-template-text')}
    value={value}
    readOnly={readOnly}
    language={plain}
    onChange={(text) => onChange?.(text)}
  />
)

const Fields = ({ readOnly = false }: { readOnly?: boolean }) => (
  <>
    <Field name="name" label={t('config-ui-template')} help={t('config-ui-template-name-help')}>
      <Input
        autoFocus={!readOnly}
        disabled={readOnly}
        className="g-mono"
        spellCheck={false}
        autoComplete="off"
        maxLength={100}
      />
    </Field>
    <Field
      name="content"
      label={t('config-ui-template-text')}
      help={t('config-ui-template-text-help', { key: '${KEY}', escaped: '$${', open: '${' })}
    >
      <TextField readOnly={readOnly} />
    </Field>
  </>
)

function Create({ project, onClose }: { project: string; onClose: () => void }) {
  const params = { teamId: useTeamId(), name: project }
  const create = useWrite(configTemplates.create, { done: 'create-success', quiet: true })
  return (
    <Form
      schema={TemplateInput}
      submit={t('config-ui-template-create')}
      needs={configTemplates.create}
      onCancel={onClose}
      onSubmit={async (body) => {
        await create.mutateAsync({ params, body })
        onClose()
      }}
    >
      <Fields />
    </Form>
  )
}

function Opened({ uuid, name, onClose }: { uuid: string; name: string; onClose: () => void }) {
  // a form in use does not follow others' changes
  const query = useRead(configTemplates.get, { params: { teamId: useTeamId(), uuid } }, { staleMs: Infinity })
  return (
    <Dialog width={width} closes="asked" title={t('config-ui-template-edit-title', { name })} onClose={onClose}>
      <Loaded query={query}>{(template) => <Edit template={template} onClose={onClose} />}</Loaded>
    </Dialog>
  )
}

function Edit({ template, onClose }: { template: Template; onClose: () => void }) {
  const { uuid, project, name, content, revision } = template
  const params = { teamId: useTeamId(), uuid }
  const may = useMay(configTemplates.update)
  const update = useWrite(configTemplates.update, { done: 'update-success', quiet: true })
  return (
    <Form
      schema={TemplateInput}
      initial={{ name, content }}
      submit={t('ui-save')}
      needs={configTemplates.update}
      onCancel={onClose}
      onSubmit={async (body) => {
        await update.mutateAsync({ params, body: { ...body, revision } })
        onClose()
      }}
    >
      <Fields readOnly={!may} />
      {may && <Restarts project={project} template={name} />}
    </Form>
  )
}
