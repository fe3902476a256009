import { Input } from 'antd'
import { definitions } from '@gantry/contract/pipelines/editing/definitions'
import { DefinitionFile, type Pipeline } from '@gantry/contract/pipelines/pipelines'
import { useId, useState } from 'react'
import { t } from '../../../api/language.ts'
import { YamlEditor } from '../../../ui/editor/editors.tsx'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { GoTo } from '../../../ui/link.tsx'
import { toPipeline } from '../pipelines/places.ts'
import styles from './definition-files.module.css'

/** Editors that support this line complete and validate the file while it is written. */
const schemaLine = (): string =>
  `# yaml-language-server: $schema=${new URL(definitions.schema.path, window.location.origin)}\n`

interface ExportDialogProps {
  pipeline: Pipeline
  /** The definition as YAML. */
  text: string
  dirty: boolean
  onClose: () => void
}

/** The definition as a file to commit, and how to make the pipeline use it. */
export function ExportDialog({ pipeline, text, dirty, onClose }: ExportDialogProps) {
  const [path, setPath] = useState(() => DefinitionFile.parse({}).path)
  const id = useId()
  const schema = schemaLine()
  const whole = text.startsWith('# yaml-language-server:') ? text : `${schema}${text}`
  return (
    <Dialog title={t('pipelines-ui-file-export-title', { name: pipeline.projectName })} width={960} onClose={onClose}>
      <div className={styles.steps}>
        <ol>
          <li>{t('pipelines-ui-file-export-commit', { path })}</li>
          <li>
            {t('pipelines-ui-file-export-choose')}{' '}
            <GoTo to={toPipeline('cd-setting', pipeline)}>{t('pipelines-ui-file-settings')}</GoTo>
          </li>
        </ol>
        {dirty && <p className="g-note">{t('pipelines-ui-file-unsaved')}</p>}
        <label htmlFor={id}>{t('pipelines-ui-definition-path')}</label>
        <Input id={id} value={path} spellCheck={false} onChange={(event) => setPath(event.target.value)} />
      </div>
      <YamlEditor label={t('pipelines-ui-file-text')} value={whole} draftKey={`definition-export-${pipeline.id}`} />
    </Dialog>
  )
}
