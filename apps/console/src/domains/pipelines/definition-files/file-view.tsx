import { definitionFile, type FileDefinition } from '@gantry/contract/pipelines/editing/definition-file'
import type { DefinitionFile, Pipeline } from '@gantry/contract/pipelines/pipelines'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Copyable } from '../../../ui/copyable.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { YamlEditor } from '../../../ui/editor/editors.tsx'
import { confirm } from '../../../ui/feedback/dialog.tsx'
import { GoTo } from '../../../ui/link.tsx'
import { toPipeline } from '../pipelines/places.ts'
import { definitionHints } from '../definition/definition-hints.ts'
import { problemsOfDefinition } from '../definition/definition-yaml.ts'
import { firstLine } from '../definition/words.ts'
import styles from './definition-files.module.css'

interface FileViewProps {
  pipeline: Pipeline
  file: DefinitionFile
  revision: number
}

/** The definition in the repository: displayed here, but changed there. */
export function FileView({ pipeline, file, revision }: FileViewProps) {
  const query = useRead(definitionFile.read, { params: { id: pipeline.id } })
  const takeOver = useWrite(definitionFile.takeOver, {
    done: 'save-success',
    quiet: true,
  })
  const take = ({ commit }: FileDefinition) =>
    void confirm({
      title: t('pipelines-ui-file-take-over-title', { name: pipeline.projectName }),
      text: t('pipelines-ui-file-take-over-text', { commit: commit.slice(0, 8) }),
      ok: t('pipelines-ui-file-take-over'),
      run: () =>
        takeOver.mutateAsync({
          named: pipeline.projectName,
          params: { id: pipeline.id },
          body: { commit, revision },
        }),
    })
  const branch = file.branch || (pipeline.repository?.branch ?? '')
  return (
    <>
      <div className="g-note g-row" role="status">
        <span>{t('pipelines-ui-file-note', { path: file.path, branch })}</span>{' '}
        <GoTo to={toPipeline('cd-setting', pipeline)}>{t('pipelines-ui-file-settings')}</GoTo>
      </div>
      <Loaded query={query}>
        {(found) => (
          <>
            <div className={styles.facts}>
              <span className="g-quiet">{t('pipelines-ui-file-commit')}</span>
              <Copyable text={found.commit} short={8} />
              <span className="g-clip">{firstLine(found.message)}</span>
            </div>
            <p className={found.problems.length > 0 ? 'g-bad' : 'g-quiet'} role="status">
              {found.problems.length > 0
                ? t('pipelines-ui-file-problems', { count: found.problems.length })
                : found.warnings.length > 0
                  ? t('pipelines-ui-file-warnings', { count: found.warnings.length })
                  : t('pipelines-ui-file-fine')}
            </p>
            <YamlEditor
              key={found.commit}
              label={file.path}
              value={found.text}
              draftKey={`definition-file-${pipeline.id}`}
              check={problemsOfDefinition}
              hints={definitionHints}
              warnings={found.warnings}
            />
            <div className="g-row g-row-end">
              <Button icon="refresh" loading={query.isFetching} onClick={() => void query.refetch()}>
                {t('pipelines-ui-file-read-again')}
              </Button>
              <Button
                icon="download"
                needs={definitionFile.takeOver}
                disabled={
                  found.problems.length > 0 && t('pipelines-ui-file-problems', { count: found.problems.length })
                }
                onClick={() => take(found)}
              >
                {t('pipelines-ui-file-take-over')}
              </Button>
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}
